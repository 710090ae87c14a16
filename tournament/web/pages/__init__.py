"""The pages, one file each, with their addresses (ROUTES) and, where they have one, their link (NAVIGATION).

The folder is the list: a new page is a file here and a template.
"""

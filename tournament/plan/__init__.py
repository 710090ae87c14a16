"""From a YAML file to what is to be done, with stable ids."""

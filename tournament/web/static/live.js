// Listens to the server, which tells of the standings each time they have changed.

const standings = document.getElementById("standings");
const message = document.getElementById("live-message");
const dot = document.querySelector(".dot");
let state = dot.dataset.state;

const events = new EventSource(standings.dataset.events);
events.addEventListener("message", (event) => {
  const told = JSON.parse(event.data);
  if (state === "waiting" && told.state !== "waiting") location.reload(); // the tournament has a name now
  state = dot.dataset.state = told.state;
  if (message.textContent !== told.message) message.textContent = told.message;
  const focused = document.activeElement?.closest?.("#standings [aria-label]")?.getAttribute("aria-label");
  const scrolled = new Map([...standings.querySelectorAll("[aria-label]")].map((part) => [part.getAttribute("aria-label"), part.scrollLeft]));
  standings.innerHTML = told.html; // made and escaped by the server
  for (const part of standings.querySelectorAll("[aria-label]")) part.scrollLeft = scrolled.get(part.getAttribute("aria-label")) ?? 0;
  if (focused) [...standings.querySelectorAll("[aria-label]")].find((part) => part.getAttribute("aria-label") === focused)?.focus({ preventScroll: true });
});
events.addEventListener("error", () => { dot.dataset.state = "lost"; });

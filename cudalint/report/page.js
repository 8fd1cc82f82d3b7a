"use strict";
const findings = [...document.querySelectorAll("details.finding")];
const files = [...document.querySelectorAll("section.file")];
const query = document.getElementById("query");
const boxes = [...document.querySelectorAll("input[name=severity]")];
const shown = document.getElementById("shown");
const fileOf = (one) => one.closest("section.file").querySelector("h3").textContent;
const texts = findings.map((one) => `${fileOf(one)} ${one.textContent}`.toLowerCase());

function filter() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const levels = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let count = 0;
  findings.forEach((one, number) => {
    const keep = levels.has(one.dataset.severity) && words.every((word) => texts[number].includes(word));
    one.hidden = !keep;
    count += keep;
  });
  for (const file of files) file.hidden = !file.querySelector("details.finding:not([hidden])");
  shown.textContent = `${count} of ${findings.length} findings`;
}

function node(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// 32 lanes above, the sectors or banks that they fall into below.
function picture(kind, stride, bytes, lanes, title) {
  const global = kind === "sectors";
  const keys = Array.from({ length: lanes }, (_, lane) =>
    global ? Math.floor((lane * stride) / 32) : Math.floor((lane * stride) / 4) % 32);
  const cells = global ? [...new Set(keys)] : Array.from({ length: 32 }, (_, bank) => bank);
  const width = 704, step = width / 32, cell = width / Math.max(cells.length, 8);
  const svg = node("svg", { viewBox: `0 0 ${width} 128`, role: "img", "aria-label": title });
  svg.append(node("text", { x: 0, y: 12 }, title));
  keys.forEach((key, lane) => {
    const x = lane * step + step / 2, to = cells.indexOf(key) * cell + cell / 2;
    svg.append(node("line", { x1: x, y1: 38, x2: to, y2: 96, stroke: "var(--dim)", "stroke-width": 1 }));
  });
  for (let lane = 0; lane < 32; lane++) {
    const on = lane < lanes;
    svg.append(node("rect", { x: lane * step + 1, y: 20, width: step - 2, height: 18, rx: 3,
      fill: on ? "var(--note)" : "var(--soft)", opacity: 0.35 }));
    svg.append(node("text", { x: lane * step + step / 2, y: 33, "text-anchor": "middle" }, lane));
  }
  cells.forEach((key, number) => {
    const many = keys.filter((one) => one === key).length;
    const full = global ? Math.min(1, (many * bytes) / 32) : many ? 1 / many : 0;
    svg.append(node("rect", { x: number * cell + 1, y: 96, width: cell - 2, height: 18, rx: 3,
      fill: "var(--soft)", stroke: "var(--line)" }));
    svg.append(node("rect", { x: number * cell + 1, y: 96, width: (cell - 2) * full, height: 18, rx: 3,
      fill: full > 0.99 ? "var(--good)" : "var(--warning)", opacity: 0.5 }));
    if (cell >= 16) svg.append(node("text", { x: number * cell + cell / 2, y: 109, "text-anchor": "middle" },
      global ? number : many || ""));
  });
  return svg;
}

// Two threads in time, with nothing between them that orders them.
function timeline(rows) {
  const svg = node("svg", { viewBox: "0 0 704 110", role: "img", "aria-label": "two threads in time" });
  rows.forEach((row, number) => {
    const y = 28 + number * 50;
    svg.append(node("line", { x1: 0, y1: y, x2: 690, y2: y, stroke: "var(--dim)" }));
    svg.append(node("circle", { cx: 330 + number * 40, cy: y, r: 6, fill: "var(--error)" }));
    svg.append(node("text", { x: 0, y: y - 9 }, row));
  });
  svg.append(node("line", { x1: 330, y1: 28, x2: 370, y2: 78, stroke: "var(--error)", "stroke-dasharray": "4 3" }));
  svg.append(node("text", { x: 384, y: 58 }, "no barrier in between: either may come first"));
  return svg;
}

function draw(finding) {
  const place = finding.querySelector(".picture");
  if (!place || place.firstChild) return;
  if (place.dataset.rows) return void place.append(timeline(JSON.parse(place.dataset.rows)));
  const [kind, stride, bytes, lanes, now, ideal] = JSON.parse(place.dataset.access);
  place.append(picture(kind, stride, bytes, lanes, `now: ${now} per request, ${stride} bytes from lane to lane`));
  const fixed = kind === "sectors" ? bytes : 4;
  place.append(picture(kind, fixed, bytes, lanes, `side by side: ${ideal} per request`));
}

for (const finding of findings) finding.addEventListener("toggle", () => finding.open && draw(finding));
query.addEventListener("input", filter);
for (const box of boxes) box.addEventListener("change", filter);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.target === query || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { query.focus(); event.preventDefault(); }
  if (event.key !== "j" && event.key !== "k") return;
  const seen = findings.filter((one) => !one.hidden).map((one) => one.querySelector("summary"));
  const here = seen.indexOf(document.activeElement);
  const next = seen[event.key === "j" ? here + 1 : Math.max(0, here - 1)];
  if (next) next.focus();
});
addEventListener("hashchange", opened);
function opened() {
  if (location.hash.startsWith("#q=")) { query.value = decodeURIComponent(location.hash.slice(3)); filter(); }
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) { target.hidden = false; target.open = true; target.scrollIntoView(); }
}
filter();
opened();

import { formatNumber, formatShare, Sum } from "./numbers.mjs";
import { fit, plainText, widthOf } from "./plain-text.mjs";

const WIDTH = 30;
const MAX_LABEL = 24;
const MOST = 40;

/** The same in letters, for where no picture can be shown. */
export function textChart(entries, kind) {
  if (entries.length === 0) return "no data";
  const shown = entries.slice(0, MOST);
  const labels = shown.map(({ label }) => fit(plainText(label) || "(empty)", MAX_LABEL));
  const wide = Math.max(...labels.map(widthOf));
  const largest = Math.max(...shown.map(({ value }) => Math.abs(value)));
  const total = new Sum();
  for (const { value } of entries) total.add(value / (largest || 1));
  const lines = shown.map(({ value }, i) => {
    const size = largest === 0 ? 0 : Math.round((Math.abs(value) / largest) * WIDTH);
    const bar = (value < 0 ? "▒" : "█").repeat(value === 0 ? 0 : Math.max(1, size));
    const share =
      kind === "pie" && total.value > 0 ? ` (${formatShare(value / largest, total.value)})` : "";
    const pad = " ".repeat(wide - widthOf(labels[i]));
    return `${labels[i]}${pad}  ${bar}${bar === "" ? "" : " "}${formatNumber(value)}${share}`;
  });
  if (entries.length > MOST) lines.push(`… ${entries.length - MOST} more`);
  return lines.join("\n");
}

/** A fence that no line of the text can close. */
export function fenced(text) {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

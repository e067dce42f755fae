/** The block of PEP 723 in which a Python script names what it needs. */
const START = /^# \/\/\/ script[ \t]*$/;
const END = /^# \/\/\/[ \t]*$/;
const LINE = /^#(?: |$)/;
const DEPENDENCIES = /^dependencies\s*=\s*\[([^\]]*)\]/m;
const NAME = /["']\s*([A-Za-z0-9][A-Za-z0-9._-]*)/g;

/** Names of the packages that a Python script declares inside itself. */
export function inlineDependencies(source: string): readonly string[] {
  const list = DEPENDENCIES.exec(metadataOf(source))?.[1] ?? "";
  return [...list.matchAll(NAME)].map((match) => match[1] ?? "");
}

/** Line by line: one expression for the whole block can take exponential time. */
function metadataOf(source: string): string {
  const lines = source.split(/\r?\n/);
  const start = lines.findIndex((line) => START.test(line));
  if (start === -1) return "";
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => END.test(line) || !LINE.test(line));
  if (end === -1 || !END.test(rest[end] ?? "")) return "";
  return rest
    .slice(0, end)
    .map((line) => line.replace(/^# ?/, ""))
    .join("\n");
}

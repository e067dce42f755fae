/** The block of PEP 723 in which a Python script names what it needs. */
const BLOCK = /^# \/\/\/ script[ \t]*\r?\n((?:#(?: [^\n]*)?\r?\n)*?)# \/\/\/[ \t]*$/m;
const DEPENDENCIES = /^dependencies\s*=\s*\[([^\]]*)\]/m;
const NAME = /["']\s*([A-Za-z0-9][A-Za-z0-9._-]*)/g;

/** Names of the packages that a Python script declares inside itself. */
export function inlineDependencies(source: string): readonly string[] {
  const block = BLOCK.exec(source)?.[1] ?? "";
  const toml = block.replaceAll(/^# ?/gm, "");
  const list = DEPENDENCIES.exec(toml)?.[1] ?? "";
  return [...list.matchAll(NAME)].map((match) => match[1] ?? "");
}

import type { SkillRecord, Skills } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import type { McpHost } from "@skillwright/mcp";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { mcpHostOf } from "@skillwright/app/internal";

type Files = ReturnType<McpHost["files"]>;

/** What a person has trusted: these files under this URI of this server. */
export function printTrusted(
  skill: SkillRecord,
  digest: string,
  skills: Skills,
  console: Console,
): ExitCode {
  const host = mcpHostOf(skills);
  const files = host?.files(skill) ?? [];
  const { source, uri } = skill;
  if (console.json) {
    console.printJson({ skill: skill.name, source, uri, digest, files, trusted: true });
    return EXIT.done;
  }
  print(skill, files, console);
  const name = `${skill.relativePath}@${source}`;
  const text = `Trusted ${name} as it is now (${digest}); a change of any of this ends the trust`;
  console.printText(visibleLine(text));
  if (host?.isTrusted(skill) === true) {
    const label = source.replace("mcp:", "");
    console.note(`Its server has "trust": true: all its skills are trusted, whatever they become.`);
    console.note(visibleLine(`To go by this trust: mcpServers.${label}.trust false`));
  }
  return EXIT.done;
}

function print(skill: SkillRecord, files: Files, console: Console): void {
  const { dim } = console.colors;
  const rows = [
    ["server", skill.source.replace("mcp:", "")],
    ["uri", skill.uri ?? ""],
    ["description", skill.description.replace(/\s+/g, " ")],
    ["files", `${files.length}`],
  ] as const;
  for (const [label, value] of rows) {
    console.printText(`${dim(label.padEnd(13))}${visibleLine(value)}`);
  }
  for (const { path, size, digest } of files) {
    console.print(`${String(size).padStart(10)}  ${visibleLine(path)}  ${dim(digest)}`);
  }
}

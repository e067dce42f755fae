import type { SkillRecord, Skills } from "@skillwright/core";
import { type TrustStore, visibleLine } from "@skillwright/core/internal";
import type { McpHost } from "@skillwright/mcp";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { storedName, mcpHostOf, requireVerified } from "@skillwright/app/internal";

type Files = ReturnType<McpHost["files"]>;

/**
 * Trusts a server's skill as it is listed now: these files under this URI of this server, with this
 * frontmatter. Whatever of it changes, the trust is over.
 */
export async function trustMcpSkill(
  given: string,
  skill: SkillRecord,
  skills: Skills,
  trust: TrustStore,
  console: Console,
): Promise<ExitCode> {
  requireUnambiguous(given, skill, skills);
  await requireVerified(skill, skills);
  const host = mcpHostOf(skills);
  const files = host?.files(skill) ?? [];
  const digest = skills.stampOf(skill);
  const name = `${skill.relativePath}@${skill.source}`;
  await trust.trustDigest(digest, storedName(skill));
  const { source, uri } = skill;
  if (console.json) {
    console.printJson({ skill: skill.name, source, uri, digest, files, trusted: true });
    return EXIT.done;
  }
  print(skill, files, console);
  const text = `Trusted ${name} as it is now (${digest}); a change of any of this ends the trust`;
  console.printText(visibleLine(text));
  if (host?.isTrusted(skill) === true) {
    const label = source.replace("mcp:", "");
    console.note(`Its server has "trust": true: all its skills are trusted, whatever they become.`);
    console.note(visibleLine(`To go by this trust: mcpServers.${label}.trust false`));
  }
  return EXIT.done;
}

/**
 * Whoever names only the skill may mean the one in a folder, which is not trusted either, or another
 * one of the same server. A path or an id means one.
 */
function requireUnambiguous(given: string, skill: SkillRecord, { all, shadowed }: Skills): void {
  const { name, source, relativePath } = skill;
  const isGiven = (text: string) => given.toLowerCase() === text.toLowerCase();
  if (isGiven(skill.id)) return;
  const isWithSource = given.includes("@") || given.includes(":");
  const isPath = [relativePath, ...sourcesOf(skill)].some(isGiven);
  const others = [...all, ...shadowed].filter(
    (other) =>
      other !== skill && other.name === name && (other.source === source ? !isPath : !isWithSource),
  );
  if (others.length === 0) return;
  const names = [skill, ...others].map((one) =>
    one.source === source && others.some((other) => other.source === source)
      ? one.id
      : `${name}@${one.source}`,
  );
  throw new CommandFailure(EXIT.usage, `there are several skills named ${name}`, {
    hint: `say which: ${[...new Set(names)].join(", ")}`,
  });
}

/** `a/pdf@mcp:docs` and `a/pdf@docs`. */
function sourcesOf({ relativePath, source }: SkillRecord): readonly string[] {
  return [source, source.replace("mcp:", "")].map((from) => `${relativePath}@${from}`);
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

import { parseSkill } from "@skillwright/core";
import { findReferences, plural } from "@skillwright/core/internal";
import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { type Client, clientFolder, type ClientReads } from "./clients.ts";

/**
 * - `place`: the client does not look where the skill is.
 * - `refused`: it leaves the skill out.
 * - `cut`: it shows only the beginning of the description.
 * - `ignored`: a field of the frontmatter has no effect.
 * - `tool`: `allowed-tools` names a tool that it does not have.
 * - `path`: a path in the text leads nowhere.
 */
export interface PortabilityFinding {
  readonly kind: "place" | "refused" | "cut" | "ignored" | "tool" | "path";
  readonly message: string;
  readonly fix: string;
}

/** What one client makes of one skill. */
export interface Portability {
  readonly client: string;
  readonly outcome: "found" | "cut" | "refused" | "not found";
  readonly findings: readonly PortabilityFinding[];
}

export interface PortableSkill {
  /** Absolute. */
  readonly directory: string;
  /** Of its SKILL.md. */
  readonly text: string;
}

/** Where the client looks: the project's folders from the project on, and the user's. */
export interface ClientPlaces {
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const SPECIFIED: ClientReads = {
  fields: ["name", "description", "license", "compatibility", "metadata", "allowed-tools"],
  needs: ["name", "description"],
  strictName: true,
  maxDescription: 1024,
  depth: 1,
  source: "agentskills.io/specification",
  date: "2026-11-20",
};
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const VARIABLE = /\$\{?((?:CLAUDE_)?SKILL_DIR|CLAUDE_PLUGIN_ROOT)\}?|\{(baseDir)\}/g;

export function portabilityOf(
  skill: PortableSkill,
  client: Client,
  places: ClientPlaces,
): Portability {
  const reads = client.reads ?? SPECIFIED;
  const findings: PortabilityFinding[] = [];
  const report = (kind: PortabilityFinding["kind"], message: string, fix: string) =>
    findings.push({ kind, message, fix });
  const shown = `./${relative(places.project, skill.directory).split(sep).join("/")}`;
  if (!isFound(skill.directory, client, reads, places)) {
    const folder = client.project.join(", ");
    const install = `skillwright install ${shown} --agent ${client.id}`;
    report("place", `${client.name} looks in ${folder}`, install);
  }
  const name = basename(skill.directory);
  const parsed = parseSkill(skill.text, { values: true });
  const values = parsed.values ?? {};
  const invalid = parsed.diagnostics.find(
    ({ code }) =>
      /^(?:frontmatter|yaml)-/.test(code) && (code !== "yaml-repaired" || !reads.repairs),
  );
  if (invalid !== undefined) report("refused", invalid.message, "skillwright lint --fix");
  const error = parsed.diagnostics.find(({ severity }) => severity === "error");
  // The description is all that a parsed skill cannot be without.
  const misses = parsed.values === undefined && invalid === undefined ? ["description"] : [];
  for (const field of parsed.values === undefined ? misses : reads.needs) {
    const value = values[field];
    if (!reads.needs.includes(field) || (typeof value === "string" && value.trim() !== ""))
      continue;
    const message = parsed.values === undefined ? error?.message : undefined;
    report("refused", message ?? `there is no ${field}`, `add ${field}: to the frontmatter`);
  }
  const { name: given, description } = values;
  if (reads.strictName && typeof given === "string") {
    if (given !== name) {
      report("refused", `the name ${given} is not that of its folder`, `rename the folder ${name}`);
    } else if (!NAME.test(given) || given.length > MAX_NAME) {
      const fix = `at most ${MAX_NAME} small letters, digits and single hyphens`;
      report("refused", `the name ${given} is not valid`, fix);
    }
  }
  const { maxDescription = Infinity, variables = [] } = reads;
  const { descriptionCharacters: most = Infinity } = client;
  const length = typeof description === "string" ? Array.from(description.trim()).length : 0;
  if (length > maxDescription) {
    const message = `the description has ${length} characters, and ${maxDescription} are allowed`;
    report("refused", message, "shorten it; details belong into the body");
  } else if (length > most) {
    const message = `the description is cut after ${most} of its ${length} characters`;
    report("cut", message, `say what it is for in the first ${most}`);
  }
  for (const field of Object.keys(values)) {
    if (!reads.fields.includes(field)) {
      report("ignored", `${field} has no effect`, "say in the body what must hold here, too");
    }
  }
  const { allowedTools = [], body = "" } = parsed.skill ?? {};
  for (const tool of new Set(allowedTools.map((rule) => rule.tool))) {
    if (reads.tools === undefined || reads.tools.includes(tool) || tool.startsWith("mcp__"))
      continue;
    report(
      "tool",
      `${tool} is not one of its tools`,
      `remove it from allowed-tools, or correct it`,
    );
  }
  for (const [text, variable = "", base = ""] of body.matchAll(VARIABLE)) {
    if (variables.includes(variable || base)) continue;
    report("path", `${text} is not replaced`, "write the path relative to the skill's folder");
  }
  for (const path of new Set(findReferences(body).map((reference) => reference.path))) {
    const target = resolve(skill.directory, path);
    const isInside = target.startsWith(skill.directory + sep);
    if (isInside && existsSync(target)) continue;
    const message = isInside ? `${path} is not there` : `${path} leads out of the skill`;
    report("path", message, "put the file into the skill's folder, or correct the path");
  }
  const has = (kind: PortabilityFinding["kind"]) => findings.some((one) => one.kind === kind);
  const outcome = has("refused")
    ? "refused"
    : has("place")
      ? "not found"
      : has("cut")
        ? "cut"
        : "found";
  return { client: client.id, outcome, findings };
}

function isFound(directory: string, client: Client, { depth }: ClientReads, places: ClientPlaces) {
  const { project, user } = client;
  const folders = project.map((folder) => join(places.project, folder));
  if (user !== undefined) folders.push(clientFolder(client, user, places.home, places.env));
  return folders.some((folder) => {
    const path = relative(folder, directory);
    const parts = path.split(sep);
    return path !== "" && parts[0] !== ".." && parts.length <= depth;
  });
}

export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly directory: string;
}

/**
 * The catalog as far as the client is known to cut it: the skills that it finds, each description to its
 * limit, then all of them to an equal share of what the catalog may take.
 */
export function clientCatalog(
  skills: readonly CatalogEntry[],
  client: Client,
  places: ClientPlaces,
): { readonly lines: readonly string[]; readonly found: number; readonly shortened: number } {
  const { descriptionCharacters: most = Infinity, reads = SPECIFIED } = client;
  const found = skills.filter(({ directory }) => isFound(directory, client, reads, places));
  const whole = found.reduce((sum, one) => sum + one.name.length + FRAME, 0);
  const room = Math.max(0, (reads.catalogCharacters ?? Infinity) - whole);
  const wanted = found.map(({ description }) => Math.min(most, description.length));
  const isTight = wanted.reduce((sum, length) => sum + length, 0) > room;
  const limit = isTight ? Math.min(most, Math.floor(room / found.length)) : most;
  const lines = found.map(({ name, description }) => `- ${name}: ${description.slice(0, limit)}`);
  const shortened = found.filter(({ description }) => description.length > limit).length;
  return { lines, found: found.length, shortened };
}

/** `- `, `: ` and the end of the line. */
const FRAME = 5;

/** The page that names what is known of each client, with source and date. */
export function portabilityPage(clients: readonly Client[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(", ");
  const rows = clients.map((client) => {
    const { id, project, user, descriptionCharacters: most, catalogBudget = "", reads } = client;
    const folders = code([...project, ...(user === undefined ? [] : [`~/${user}`])]);
    const { maxDescription } = reads ?? {};
    const sources = [
      ...new Set([`${client.source}, ${client.date}`, reads && `${reads.source}, ${reads.date}`]),
    ];
    const source = sources.filter((one) => one !== undefined).join("; ");
    const limit =
      maxDescription !== undefined
        ? `refused above ${maxDescription}`
        : most === undefined
          ? ""
          : `cut after ${most}`;
    const fields = reads === undefined ? "not known" : code(reads.fields);
    return `| \`${id}\` | ${folders} | ${fields} | ${limit} | ${cell(catalogBudget)} | ${cell(source)} |`;
  });
  const known = clients.filter(({ reads }) => reads !== undefined);
  return `# Where a skill works

<!-- Generated from packages/packs/src/clients/clients.ts by \`npm run docs\`. Do not edit. -->

\`skillwright lint --for claude-code,codex\` says what each client makes of a skill: whether it looks there at all, whether it
leaves the skill out, what it cuts and ignores, and which paths lead nowhere, each with the fix. \`--for all\` prints a table.

How ${plural(known.length, "client")} of ${clients.length} read a SKILL.md is known; for the others the specification counts. Clients change:
each row names where it was read, and when.

| client | folders | fields that count | description | catalog | source |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

import { clientCatalog, CLIENTS, type Portability, portabilityOf } from "@skillwright/packs";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "skillwright-portability-"));
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

const client = (id: string) => {
  const found = CLIENTS.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

interface Fixture {
  readonly at?: string;
  readonly front?: string;
  readonly body?: string;
}

/** Without `at`, in the folder that is installed into. */
function look(
  id: string,
  { at, front = "name: pdf\ndescription: Fills forms.", body = "" }: Fixture = {},
): Portability {
  const directory = join(project, at ?? `${client(id).project[0]}/pdf`);
  const text = `---\n${front}\n---\n${body}\n`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "SKILL.md"), text);
  const places = { project, home: join(project, "home"), env: {} };
  return portabilityOf({ directory, text }, client(id), places);
}

const kinds = ({ findings }: Portability) => findings.map(({ kind }) => kind);
const long = (length: number) => `name: pdf\ndescription: ${"x".repeat(length)}`;
const noDescription = "name: pdf";
const otherName = "name: forms\ndescription: Fills forms.";

describe("portability", () => {
  it.each([
    ["claude-code", "bogus", "just: [a"],
    ["codex", "allowed-tools", noDescription],
    ["cursor", "user-invocable", noDescription],
    ["github-copilot", "license", otherName],
    ["gemini-cli", "license", noDescription],
    ["opencode", "allowed-tools", otherName],
    ["goose", "compatibility", noDescription],
    ["cline", "allowed-tools", otherName],
  ])("C-04 %s: found, elsewhere not, %s ignored, refused", (id, ignored, refused) => {
    expect(look(id)).toEqual({ client: id, outcome: "found", findings: [] });
    const elsewhere = look(id, { at: "plugins/pdf" });
    expect(elsewhere).toMatchObject({ outcome: "not found", findings: [{ kind: "place" }] });
    expect(elsewhere.findings[0]?.fix).toBe(`skillwright install ./plugins/pdf --agent ${id}`);
    const front = `name: pdf\ndescription: Fills forms.\n${ignored}: Bash`;
    const { outcome, findings } = look(id, { front });
    expect(outcome).toBe("found");
    expect(findings).toMatchObject([{ kind: "ignored", message: `${ignored} has no effect` }]);
    expect(look(id, { front: refused })).toMatchObject({
      outcome: "refused",
      findings: [{ kind: "refused" }],
    });
  });

  it("C-04 every client that reads no invalid YAML refuses it, and one repairs it", () => {
    const front = "name: pdf\ndescription: Use when: forms";
    expect(look("codex", { front }).outcome).toBe("refused");
    expect(look("github-copilot", { front }).outcome).toBe("refused");
    expect(look("gemini-cli", { front }).outcome).toBe("found");
  });

  it.each([
    ["claude-code", 1536, "found"],
    ["claude-code", 1537, "cut"],
    ["codex", 1024, "found"],
    ["codex", 1025, "refused"],
    ["github-copilot", 1025, "refused"],
    ["opencode", 1025, "refused"],
    ["cline", 1025, "refused"],
    ["gemini-cli", 1537, "found"],
  ])("C-04 %s: a description of %i characters is %s", (id, length, outcome) => {
    expect(look(id, { front: long(length) }).outcome).toBe(outcome);
  });

  it("C-04 looks as deep as the client does", () => {
    const at = ".agents/skills/group/pdf";
    expect(look("codex", { at }).outcome).toBe("found");
    expect(look("gemini-cli", { at }).outcome).toBe("not found");
  });

  it("C-04 names tools that the client does not have", () => {
    const front =
      "name: pdf\ndescription: Fills forms.\nallowed-tools: Read Bash(git:*) mcp__docs__find Frobnicate";
    expect(look("claude-code", { front }).findings).toMatchObject([
      { kind: "tool", message: "Frobnicate is not one of its tools" },
    ]);
  });

  it("C-04 names paths that lead nowhere", () => {
    const file = join(project, ".agents/skills/pdf/references/there.md");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    const body =
      "See [a](references/there.md), [b](references/gone.md) and [c](../other/x.md). Run ${CLAUDE_SKILL_DIR}/run.";
    const found = look("codex", { body });
    expect(kinds(found)).toEqual(["path", "path", "path"]);
    expect(found.findings.map(({ message }) => message)).toEqual([
      "${CLAUDE_SKILL_DIR} is not replaced",
      "references/gone.md is not there",
      "../other/x.md leads out of the skill",
    ]);
    expect(look("claude-code", { body: "Run ${CLAUDE_SKILL_DIR}/run." }).findings).toEqual([]);
  });

  it("C-04 shows the catalog with what the client finds, cut as it cuts", () => {
    const entry = (name: string, length: number, folder: string) => ({
      name,
      description: "x".repeat(length),
      directory: join(project, folder, name),
    });
    const skills = [entry("a", 2000, ".claude/skills"), entry("b", 10, ".agents/skills")];
    const places = { project, home: join(project, "home"), env: {} };
    const claude = clientCatalog(skills, client("claude-code"), places);
    expect(claude).toEqual({ lines: [`- a: ${"x".repeat(1536)}`], found: 1, shortened: 1 });
    const codex = clientCatalog(skills, client("codex"), places);
    expect(codex).toEqual({ lines: [`- b: ${"x".repeat(10)}`], found: 1, shortened: 0 });
    const many = Array.from({ length: 20 }, (_, i) => entry(`skill-${i}`, 900, ".agents/skills"));
    const tight = clientCatalog(many, client("codex"), places);
    expect(tight).toMatchObject({ found: 20, shortened: 20 });
    const size = tight.lines.join("\n").length;
    expect(size).toBeLessThanOrEqual(8000);
    expect(size).toBeGreaterThan(7900);
  });

  it("C-04 each row names its source and date", () => {
    for (const { source, date, reads } of CLIENTS) {
      expect(source).not.toBe("");
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
      if (reads === undefined) continue;
      expect(reads.source).not.toBe("");
      expect(reads.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    expect(CLIENTS.filter(({ reads }) => reads !== undefined).length).toBeGreaterThanOrEqual(8);
  });
});

import { chatOf } from "../support/chat-of.ts";
import { openSkills } from "@skillwright/core";
import { renderCatalog } from "@skillwright/core/internal";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostWorld } from "./mcp-host-world.ts";

const WRITTEN = "tulip-plainpass77xyz";
const EXPANDED = "pw0-from-the-environment";
const BOTH = `${WRITTEN} ${EXPANDED}`;
// A message that is cut would end in the middle of it.
const ELSEWHERE = `skill://other/${"x".repeat(80)}${WRITTEN}`;
const SCHEMA = { type: "object", properties: { q: { type: "string", default: WRITTEN } } };

/** A server that repeats what it was given wherever it can. */
function world() {
  const frontmatter = {
    description: `Merges with ${BOTH}.`,
    metadata: { note: BOTH },
    compatibility: BOTH,
  };
  const telling = { frontmatter, body: `# PDF\n\nUse ${BOTH}.\n`, files: { "a.md": `a ${BOTH}` } };
  return hostWorld(
    {
      db: {
        skills: { pdf: telling, [WRITTEN]: {}, bad: { files: { [ELSEWHERE]: "" } } },
        tools: [
          { name: "search", description: `Searches with ${BOTH}.`, inputSchema: SCHEMA },
          { name: WRITTEN, inputSchema: SCHEMA },
        ],
        serverInfo: { name: BOTH, version: EXPANDED },
        result: { content: [{ type: "text", text: `found ${BOTH}` }] },
      },
    },
    {
      env: { ACME_PW: EXPANDED },
      settings: { db: { env: { KEY: WRITTEN, ACME: "${ACME_PW}" } } },
    },
  );
}

function expectNone(value: unknown): void {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  expect(text).toContain("[redacted]");
  expect(text).not.toContain("tulip");
  expect(text).not.toContain(EXPANDED);
}

describe("a server that repeats the secrets of its settings", () => {
  it("P-04 does not get them into its report", async () => {
    const { host } = world();
    const [report] = await host.check();
    expectNone(report);
    expect(report).toMatchObject({ ok: true, skills: 1, tools: 1, server: expect.any(String) });
  });

  it("P-04 does not get a part of them into a message where a line is cut", async () => {
    const stray = `${"x".repeat(190)} ${WRITTEN}`;
    const silent = ["initialize", "server/discover"];
    const settings = { db: { env: { KEY: WRITTEN } } };
    const { host } = hostWorld(
      { db: { stray, silent } },
      { settings, limits: { connectMs: 1000 } },
    );
    const [report] = await host.check();
    expect(report?.failure?.hint).toContain("that is not a message");
    expect(report?.failure?.hint).not.toContain("tulip");
  });

  it("P-04 does not get them to a model by its tools", async () => {
    const { host } = world();
    const { tools, problems } = await host.tools();
    const [tool] = tools;
    if (tool === undefined) throw new Error("there is no tool");
    expectNone(tool.definition);
    expectNone(problems);
    const result = await tool.server.call(tool.definition, {});
    expect(result).toMatchObject({ value: { text: "found [redacted] [redacted]" } });
  });

  it("P-04 does not get them to a model by its skills, which are verified all the same", async () => {
    const { host } = world();
    const skills = await openSkills({ roots: [host.source] });
    expectNone(renderCatalog(skills.all));
    expectNone(skills.diagnostics());
    const found = skills.get("pdf");
    expectNone(found && skills.inlineSkill(found)?.metadata);
    const activated = await chatOf(skills).activate("pdf");
    expect(activated).toMatchObject({ ok: true });
    expectNone(activated);
    expectNone(await chatOf(skills).readFile("pdf", "a.md"));
    const record = { source: "mcp:db", relativePath: "pdf", name: "pdf" };
    expectNone(await host.verify(record));
    // Scripts run from the files as they are: those are what was approved.
    const kept = await host.materialise(record);
    expect(kept.ok && readFileSync(join(kept.directory, "a.md"), "utf8")).toBe(`a ${BOTH}`);
  });
});

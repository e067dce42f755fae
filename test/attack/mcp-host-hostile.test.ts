import { chatOf } from "../support/chat-of.ts";
import { openSkills } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { hostWorld, isAlive } from "./mcp-host-world.ts";

const TOOL = { name: "search", description: "Searches.", inputSchema: { type: "object" } };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 0xff]);
const FILES = { "assets/logo.png": { base64: PNG.toString("base64") } };

describe("binary files of a server's skill", () => {
  it("H-02 D-06 are read like those in folders", async () => {
    const { host } = hostWorld({ docs: { skills: { pdf: { files: FILES } } } });
    const skills = await openSkills({ roots: [host.source] });
    expect(await chatOf(skills).readFile("pdf", "assets/logo.png", { bytes: true })).toEqual({
      ok: true,
      kind: "binary",
      path: "assets/logo.png",
      mediaType: "image/png",
      size: PNG.length,
      bytes: new Uint8Array(PNG),
    });
  });

  it.each(["lying-content", "longer-content"])(
    "H-02 are not given when they are not what was listed: %s",
    async (mode) => {
      const { host } = hostWorld({ docs: { skills: { pdf: { files: FILES } }, mode } });
      const skills = await openSkills({ roots: [host.source] });
      const read = await chatOf(skills).readFile("pdf", "assets/logo.png", { bytes: true });
      expect(read).toMatchObject({
        ok: false,
        code: "file-unreadable",
        message: expect.stringMatching(/digest|size|bytes/),
      });
    },
  );
});

describe("a server that says too much", () => {
  it.each([
    "storm of changes",
    "storm of logs",
    "storm of progress",
    "storm of answers",
    "storm of questions",
  ])("H-02 %s: what was asked for is there, and other servers are unaffected", async (mode) => {
    const skills = { pdf: {} };
    const { host } = hostWorld({ bad: { tools: [TOOL], skills, mode }, good: { tools: [TOOL] } });
    const before = process.memoryUsage().rss;
    const { tools, problems } = await host.tools();
    expect(tools.map(({ definition }) => definition.fullName)).toEqual([
      "mcp__bad__search",
      "mcp__good__search",
    ]);
    expect(problems).toEqual([]);
    expect((await host.source.scan({})).skills).toHaveLength(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20);
  });

  it("H-02 a flood on stderr during a call ends the server, not us", async () => {
    const limits = { floodBytes: 4 << 20, callMs: 20_000 };
    const { host, log } = hostWorld({ bad: { tools: [TOOL], mode: "stderr-flood" } }, { limits });
    const [tool] = (await host.tools()).tools;
    const result = await tool?.server.call(tool.definition, {});
    expect(result).toMatchObject({ ok: false, code: "server-excessive" });
    const [, id = ""] = /started (\d+)/.exec(log("bad").join("\n")) ?? [];
    await expect.poll(() => isAlive(Number(id))).toBe(false);
  });

  it("H-02 what it asks of us and was not offered is refused", async () => {
    const { host, log } = hostWorld({ bad: { tools: [TOOL], mode: "asks" } });
    expect((await host.tools()).tools).toHaveLength(1);
    await expect
      .poll(() => log("bad").filter((line) => line.startsWith("answer")))
      .toEqual([
        "answer sampling/createMessage -32601",
        "answer elicitation/create -32601",
        "answer roots/list -32601",
      ]);
  });
});

describe("names of a server's skills", () => {
  it("H-02 R-06 of two with one name the second is there under its path, and that is said", async () => {
    const frontmatter = { name: "pdf", description: "Does something else." };
    const entry = { uri: "skill://b/pdf/SKILL.md", frontmatter };
    const { host } = hostWorld({
      docs: { skills: { pdf: { path: "a/pdf" }, other: { path: "b/pdf", entry } } },
    });
    const skills = await openSkills({ roots: [host.source] });
    expect(skills.get("pdf")?.uri).toBe("skill://a/pdf/SKILL.md");
    expect(skills.get("b/pdf@docs")).toMatchObject({
      uri: entry.uri,
      shadowedBy: "mcp:docs:a/pdf",
    });
    expect(skills.diagnostics().map(({ message }) => message)).toContainEqual(
      expect.stringContaining("taken by mcp:docs (skill://a/pdf/SKILL.md)"),
    );
  });

  it.each(["\u001b[2Jpdf", "../pdf", "pdf\u0000", "рdf", "PDF", "a".repeat(65), "pdf\u202e", ""])(
    "H-02 %j is no name, and is shown without what a terminal obeys",
    async (name) => {
      const entry = { frontmatter: { name, description: "x" } };
      const { host } = hostWorld({ docs: { skills: { pdf: { entry } } } });
      const { skills, diagnostics } = await host.source.scan({});
      expect(skills).toEqual([]);
      expect(diagnostics).toHaveLength(1);
      expect(diagnostics[0]?.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    },
  );
});

describe("what is said of a server that cannot be used", () => {
  it("H-02 a line on stdout that is no message is named", async () => {
    const silent = ["initialize", "server/discover"];
    const limits = { connectMs: 1500 };
    const { host } = hostWorld({ bad: { mode: "garbage", silent } }, { limits });
    const [report] = await host.check();
    expect(report?.failure).toMatchObject({
      code: "server-timeout",
      message: expect.stringMatching(/did not answer within [\d.]+ s/),
      hint: expect.stringContaining('"hello"; log output belongs on stderr'),
    });
  });

  it("H-02 a crash on each call is tried again later each time, and then no more", async () => {
    const limits = { backOffMs: 500, maxBackOffMs: 500, attempts: 3 };
    const { host } = hostWorld({ bad: { tools: [TOOL], mode: "crash-on-call" } }, { limits });
    const [tool] = (await host.tools()).tools;
    const codes: string[] = [];
    for (let i = 0; i < 4; i++) {
      const result = await tool?.server.call(tool.definition, {});
      codes.push(result?.ok === false ? result.code : "ok");
    }
    expect(codes.slice(0, 3).every((code) => code === "server-unreachable")).toBe(true);
    expect(codes[3]).toBe("server-given-up");
  });

  it("H-02 two labels that differ only in case cannot be told apart in names", async () => {
    const { host } = hostWorld({ docs: { skills: { pdf: {} } }, Docs: { skills: { pdf: {} } } });
    const { skills, diagnostics } = await host.source.scan({});
    expect(skills.map(({ source }) => source)).toEqual(["mcp:docs"]);
    expect(diagnostics[0]?.message).toContain('"Docs"');
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SkillsClient, SkillVerificationError } from "@modelcontextprotocol/client/ext/skills";
import { directorySource } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText, writeTree } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { SKILLS, skillsClient, skillWorld, TOKEN, type World } from "./mcp-server-world.ts";

/** Its frontmatter is no YAML. */
const REPAIRED = {
  "broken/SKILL.md": "---\nname: broken\ndescription: Does: it. Use it.\n---\n# Goal of broken\n",
};

const BINARY = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254]);

async function connected(kind: "memory" | "http" | "modern http", world: World = {}) {
  const made = await skillWorld(world);
  const client = skillsClient(kind === "modern http" ? "auto" : "legacy");
  if (kind === "memory") {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await made.server.connect(ours);
    await client.connect(theirs);
  } else {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const url = new URL(made.http.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  }
  onTestFinished(() => client.close());
  return { ...made, client, skills: new SkillsClient(client), registry: made.skills };
}

/** The same name in two sources. */
function temporaryRoots() {
  const folder = temporaryFolder({
    "one/pdf/SKILL.md": skillText("pdf", "The first. Use it."),
    "two/pdf/SKILL.md": skillText("pdf", "The second. Use it."),
  });
  const source = (name: string, label: string) => directorySource(join(folder, name), { label });
  return { roots: [source("one", "project"), source("two", "user")] };
}

const changed = (client: Client) =>
  new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/resources/list_changed", () => resolve());
  });

describe.each(["memory", "http", "modern http"] as const)("the 2.4 client over %s", (kind) => {
  it("H-02 lists, gets, reads and verifies all skills", async () => {
    const { skills, root, client } = await connected(kind);
    expect(client.getNegotiatedProtocolVersion()).toBe(
      kind === "modern http" ? "2026-07-28" : "2025-11-25",
    );
    expect(skills.supported).toBe(true);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ uri }) => uri)).toEqual(["skill://csv/SKILL.md", "skill://pdf/SKILL.md"]);
    const [, pdf] = entries;
    expect(pdf?.frontmatter).toEqual({
      name: "pdf",
      description: "Joins PDF files. Use to join them.",
    });
    const { skill } = await skills.get("skill://pdf/SKILL.md");
    expect(skill).toEqual(pdf);
    const read = await skills.read(skill);
    expect(read).toMatchObject({ verified: true, body: "# Goal of pdf\n" });
    for (const path of ["references/guide.md", "references/Q&A ü.md", "scripts/join.mjs"]) {
      const file = await skills.read(skill, path);
      expect(file.verified).toBe(true);
      expect(Buffer.from(file.bytes)).toEqual(readFileSync(join(root, "pdf", path)));
    }
  });

  it("H-02 reads folders", async () => {
    const { skills } = await connected(kind);
    const { resources } = await skills.readDirectory("skill://pdf");
    expect(resources.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ["SKILL.md", "text/markdown"],
      ["references", "inode/directory"],
      ["scripts", "inode/directory"],
    ]);
    const inner = await skills.readDirectory("skill://pdf/references");
    expect(inner.resources.map(({ name }) => name)).toEqual(["Q&A ü.md", "guide.md"]);
    await expect(skills.readDirectory("skill://pdf/SKILL.md")).rejects.toThrow(/no folder/);
    await expect(skills.readDirectory("skill://nobody")).rejects.toThrow(/no folder/);
  });

  it("F-01 H-02 serves metadata that is not all text, and YAML that clients do not know", async () => {
    const files = {
      "numbers/SKILL.md": skillText("numbers", "Does it.", "metadata:\n  version: 1.10\n  n: ~\n"),
      "lists/SKILL.md": skillText(
        "lists",
        "Does it.",
        "metadata:\n  tags: [a, 2]\n  x:\n    y: 1\n",
      ),
      "none/SKILL.md": skillText("none", "Does it.", "metadata:\n"),
      "lines/SKILL.md": skillText("lines", '"Does\n  it."', "license: |2\n    MIT\n"),
      "lines/guide.md": "# Guide\n",
    };
    const { skills, root } = await connected(kind, { files });
    const { skills: entries } = await skills.list();
    const metadata = entries.map(({ frontmatter }) => [frontmatter.name, frontmatter["metadata"]]);
    expect(metadata).toEqual([
      ["lines", undefined],
      ["lists", { tags: '["a",2]', x: '{"y":1}' }],
      ["none", {}],
      ["numbers", { version: "1.10", n: "~" }],
    ]);
    for (const entry of entries) {
      const { skill } = await skills.get(entry.uri);
      expect(skill).toEqual(entry);
      const { name } = skill.frontmatter;
      expect(await skills.read(skill)).toMatchObject({
        verified: true,
        frontmatter: skill.frontmatter,
        body: `# Goal of ${name}\n`,
      });
    }
    const [lines] = entries;
    expect(lines && (await skills.read(lines, "guide.md"))).toMatchObject({ verified: true });
    writeFileSync(
      join(root, "numbers/SKILL.md"),
      skillText("numbers", "Other.", "metadata: {v: 1}\n"),
    );
    const changedSkill = entries.find(({ frontmatter }) => frontmatter.name === "numbers");
    await expect(skills.read(changedSkill!)).rejects.toThrow(/changed|digest|size/);
  });

  it("F-01 H-02 offers by tools what the extension cannot say, and nothing else", async () => {
    const { client, root, server } = await connected(kind, { files: SKILLS });
    expect((await client.listTools()).tools).toEqual([]);
    const call = (name: string) =>
      client.callTool({ name: "load_skill", arguments: { skill_name: name } });
    await expect(call("pdf")).rejects.toThrow(/no tool/);
    await server.watch();
    writeTree(root, REPAIRED);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    await expect.poll(names, { timeout: 60_000 }).toContain("load_skill");
    expect(JSON.stringify(await call("broken"))).toContain("# Goal of broken");
    expect(await call("pdf")).toMatchObject({ isError: true });
    const found = await client.callTool({ name: "search_skills", arguments: { query: "pdf" } });
    expect(JSON.stringify(found)).not.toContain("Joins PDF files");
  });

  it("H-02 sends what is no text as it is", async () => {
    const { skills, root } = await connected(kind);
    writeFileSync(join(root, "csv-folder/logo.png"), BINARY);
    const { skill } = await skills.get("skill://csv/SKILL.md");
    const { bytes, mimeType, text } = await skills.read(skill, "logo.png");
    expect(Buffer.from(bytes)).toEqual(BINARY);
    expect({ mimeType, text }).toEqual({ mimeType: "image/png", text: undefined });
  });

  it("H-02 a file that changed after it was listed is not read", async () => {
    const { skills, root } = await connected(kind);
    const { skill } = await skills.get("skill://pdf/SKILL.md");
    writeFileSync(join(root, "pdf/references/guide.md"), "# Guide\nOther pages.\n");
    // The server notices first, and says so; who reads by the old entry then notices, too.
    await expect(skills.read(skill, "references/guide.md")).rejects.toThrow(/has changed/);
    const again = skills.read(skill, "references/guide.md");
    await expect(again).rejects.toBeInstanceOf(SkillVerificationError);
    const fresh = await skills.get("skill://pdf/SKILL.md");
    expect((await skills.read(fresh.skill, "references/guide.md")).verified).toBe(true);
  });

  it("H-02 pages through more skills than one page holds", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `skill-${index}`);
    const files = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)]));
    const { skills, client } = await connected(kind, { files, pageSize: 10 });
    const first = await client.listResources({});
    expect((await skills.list()).skills).toHaveLength(25);
    expect(first.resources).toHaveLength(25);
    expect((await client.listPrompts()).prompts).toHaveLength(25);
    await expect(skills.list({ cursor: "what" })).rejects.toThrow(/cursor/);
  });

  it("H-02 has no tools for who reads skills itself", async () => {
    const { client } = await connected(kind);
    expect((await client.listTools()).tools).toEqual([]);
    const call = client.callTool({ name: "load_skill", arguments: { skill_name: "pdf" } });
    await expect(call).rejects.toThrow(/no tool/);
  });
});

describe("what is served", () => {
  it("D-02 H-02 only what a model may see is", async () => {
    const files = {
      ...SKILLS,
      "hidden/SKILL.md": skillText(
        "hidden",
        "Deploys. Use never.",
        "disable-model-invocation: true\n",
      ),
      "off/SKILL.md": skillText("off"),
      "theirs/SKILL.md": skillText("theirs"),
    };
    const { skills, client } = await connected("memory", {
      files,
      open: { disabled: ["off"], isTrusted: ({ relativePath }) => relativePath !== "theirs" },
    });
    expect((await skills.list()).skills.map(({ frontmatter }) => frontmatter.name)).toEqual([
      "csv",
      "pdf",
    ]);
    for (const name of ["hidden", "off", "theirs"]) {
      const uri = `skill://${name}/SKILL.md`;
      await expect(skills.get(uri)).rejects.toThrow(/no skill/);
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
      await expect(skills.readDirectory(`skill://${name}`)).rejects.toThrow(/no folder/);
    }
    const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(prompts).toEqual(["csv", "hidden", "pdf"]);
  });

  it("F-01 H-02 what hosts would refuse is left to the tools, and the rest is listed", async () => {
    const files = { ...SKILLS, ...REPAIRED };
    const warnings: string[] = [];
    const nothing = () => undefined;
    const logger = {
      debug: nothing,
      info: nothing,
      error: nothing,
      warn: (text: string) => warnings.push(text),
    };
    const { skills, registry } = await connected("memory", { files, logger });
    expect(registry.all).toHaveLength(3);
    expect((await skills.list()).skills).toHaveLength(2);
    expect(warnings).toEqual([expect.stringMatching(/broken: .*repair; .*tools only/)]);
  });

  it("R-02 H-02 one that another comes before is under its source", async () => {
    const root = temporaryRoots();
    const { skills } = await connected("memory", { open: root });
    const uris = (await skills.list()).skills.map(({ uri }) => uri);
    expect(uris).toEqual(["skill://pdf/SKILL.md"]);
    const { skill } = await skills.get("skill://user/pdf/SKILL.md");
    expect(skill.frontmatter.description).toBe("The second. Use it.");
    expect((await skills.read(skill)).verified).toBe(true);
  });

  it("H-02 one with too many files is offered without digests", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 513 }, (_, index) => [`pdf/data/${index}.txt`, `${index}`]),
    );
    const numbers = skillText("pdf", "Joins. Use it.", "metadata: { version: 1 }\n");
    const files = { ...SKILLS, ...many, "pdf/SKILL.md": numbers };
    const { skills } = await connected("memory", { files });
    const { skill } = await skills.get("skill://pdf/SKILL.md");
    expect(skill.resources).toBe("dynamic");
    expect(await skills.read(skill)).toMatchObject({ frontmatter: { metadata: { version: "1" } } });
    const read = await skills.read(skill, "data/512.txt");
    expect(read).toMatchObject({ verified: false, text: "512" });
    await expect(skills.read(skill, "data/none.txt")).rejects.toThrow(/not found/i);
    const { resources } = await skills.readDirectory("skill://pdf/data");
    expect(resources).toHaveLength(513);
  });

  it("R-09 H-02 clients hear of changes", async () => {
    const { skills, client, server, root } = await connected("memory");
    await server.watch();
    const heard = changed(client);
    writeTree(root, { "zip/SKILL.md": skillText("zip") });
    await heard;
    const uris = (await skills.list()).skills.map(({ uri }) => uri);
    expect(uris).toContain("skill://zip/SKILL.md");
  });
});

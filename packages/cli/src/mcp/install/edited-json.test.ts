import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editedJson } from "../index.ts";

const ENTRY = { command: "skillwright", args: ["mcp"] };
const PATH = ["mcpServers", "skillwright"];

describe("editedJson", () => {
  it("H-02 takes what is not ours out of the entry, and keeps comments and other entries", async () => {
    const before = `{
  // servers
  "mcpServers": {
    "skillwright": {
      // the old place
      "url": "https://old.example/}", // not this
      "headers": {
        "Authorization": "x" /* a key */
      },
      "command": "old",
      "type": "http"
    },
    "b": { "url": "https://b.example" }, // theirs
  },
}
`;
    expect(await editedJson(before, PATH, ENTRY)).toBe(`{
  // servers
  "mcpServers": {
    "skillwright": {
      // the old place
      // not this
      "command": "skillwright",
      "args": ["mcp"]
    },
    "b": { "url": "https://b.example" }, // theirs
  },
}
`);
  });

  it.each([
    ['{"mcpServers":{"skillwright":{"url":"x"}}}', ENTRY],
    ['{"mcpServers":{"skillwright":{"url":"x","command":"y",},},}', ENTRY],
    ['{ "mcpServers": { "skillwright": {} } }', ENTRY],
    ['{ "mcpServers": {} }', ENTRY],
    ["", ENTRY],
  ])("H-02 %j has exactly our entry then", async (before, entry) => {
    const after = (await editedJson(before, PATH, entry)) ?? "";
    const plain = after.replaceAll(/,\s*(?=[}\]])/g, "");
    expect(JSON.parse(plain)).toEqual({ mcpServers: { skillwright: entry } });
  });

  it.each(["{ broken", '{ "mcpServers": [] }', '{ "mcpServers": { "skillwright": 3 } }', '"x'])(
    "H-02 %j is left alone",
    async (before) => {
      expect(await editedJson(before, PATH, ENTRY)).toBeUndefined();
    },
  );

  it("H-02 another way to reach a server goes, whatever else stands there stays", async () => {
    const key = fc
      .string({ maxLength: 5 })
      .filter((text) => text !== "__proto__" && text !== "url");
    const value = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);
    const members = fc.dictionary(key, value, { noNullPrototype: true });
    const indent = fc.constantFrom(0, 2, "\t");
    await fc.assert(
      fc.asyncProperty(members, members, indent, async (entry, others, space) => {
        const before = {
          ...others,
          mcpServers: { ...others, skillwright: { url: "x", ...entry, headers: {} } },
        };
        const after = (await editedJson(JSON.stringify(before, null, space), PATH, ENTRY)) ?? "";
        expect(JSON.parse(after)).toEqual({
          ...others,
          mcpServers: { ...others, skillwright: { ...entry, ...ENTRY } },
        });
      }),
    );
  });
});

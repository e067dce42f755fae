import { describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../host-limits.ts";
import { readToolDefinition } from "./tool-definition.ts";

const SCHEMA = { type: "object", properties: { q: { type: "string" } } };
const TOOL = { name: "search", description: "Searches.", inputSchema: SCHEMA };

function digestOf(value: unknown): string {
  const tool = readToolDefinition(value, "docs", HOST_LIMITS);
  return typeof tool === "string" ? tool : tool.digest;
}

describe("readToolDefinition", () => {
  it("P-02 any change of what a tool says of itself is another tool", () => {
    const changes = [
      { ...TOOL, description: "Searches!" },
      { ...TOOL, title: "x" },
      { ...TOOL, inputSchema: { ...SCHEMA, required: ["q"] } },
      {
        ...TOOL,
        inputSchema: { type: "object", properties: { q: { type: "string", title: "a" } } },
      },
      { ...TOOL, annotations: { readOnlyHint: true } },
      // Behind what a model gets to see.
      { ...TOOL, description: `Searches.${" ".repeat(5000)}x` },
    ];
    const digests = [TOOL, ...changes].map(digestOf);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("P-02 the order of keys says nothing", () => {
    const { name, description, inputSchema } = TOOL;
    expect(digestOf({ inputSchema, description, name })).toBe(digestOf(TOOL));
  });

  it("H-02 a claim to only read does not go with one to destroy", () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    const tool = readToolDefinition({ ...TOOL, annotations }, "docs", HOST_LIMITS);
    expect(tool).toMatchObject({ claimsReadOnly: false });
  });
});

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

  it("P-04 shows no secrets, and is still known by all that it says", () => {
    const secrets = ["tulip-plainpass77xyz"];
    const [secret = ""] = secrets;
    const properties = { q: { type: "string", default: secret, description: `as ${secret}` } };
    const value = {
      ...TOOL,
      description: `Uses ${secret}.`,
      inputSchema: { ...SCHEMA, properties },
    };
    const tool = readToolDefinition(value, "docs", HOST_LIMITS, secrets);
    expect(tool).toMatchObject({
      description: "(MCP server docs) Uses [redacted].",
      inputSchema: { properties: { q: { default: "[redacted]", description: "as [redacted]" } } },
      digest: digestOf(value),
    });
    const named = readToolDefinition({ ...TOOL, name: secret }, "docs", HOST_LIMITS, secrets);
    expect(named).toBe("its name holds a secret of the server's settings");
  });

  it("H-02 a claim to only read does not go with one to destroy", () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    const tool = readToolDefinition({ ...TOOL, annotations }, "docs", HOST_LIMITS);
    expect(tool).toMatchObject({ claimsReadOnly: false });
  });
});

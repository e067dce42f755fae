import {
  createRedactor,
  type Audit,
  type AuditEvent,
  type AuditRecord,
} from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { asClient, clientAudit, clientName, clientPrincipal } from "./index.ts";

function recorded() {
  const events: AuditEvent[] = [];
  const audit: Audit = {
    file: "x",
    redactor: createRedactor({ env: {} }),
    append: (event) => (events.push(event), {} as AuditRecord),
    sync: () => undefined,
    close: () => undefined,
  };
  return { events, audit: clientAudit(audit) };
}

describe("clientAudit", () => {
  it("P-03 H-02 names the client whose request is under way, and nobody otherwise", async () => {
    const { events, audit } = recorded();
    const work = (tool: string) => async () => {
      await Promise.resolve();
      audit.append({ event: "tool-call", data: { tool, client: "a lie" } });
    };
    await Promise.all([
      asClient({ client: "one 1", session: "s1" }, work("a")),
      asClient({ client: "two 2", session: "s2" }, work("b")),
    ]);
    audit.append({ event: "tool-end", data: "text" });
    expect(events).toEqual([
      { event: "tool-call", data: { tool: "a", client: "one 1", session: "s1" } },
      { event: "tool-call", data: { tool: "b", client: "two 2", session: "s2" } },
      { event: "tool-end", data: "text" },
    ]);
  });
});

describe("clientName", () => {
  it.each([
    [{ name: "Client", version: "1.0" }, "Client 1.0"],
    [{ name: " a\nb\u001b[31m\u202e\u0000c ", version: "\u200b" }, "a b [31m c"],
    [{ name: "x".repeat(5_000_000), version: "1" }, `${"x".repeat(99)}…`],
    [{ name: "", version: "" }, undefined],
    [{ name: 3 }, undefined],
    [undefined, undefined],
  ])("P-03 H-02 a name on one line (%#)", (info, name) => {
    expect(clientName(info)).toBe(name);
  });
});

describe("clientPrincipal", () => {
  it.each([
    [{ name: "Client", version: "1.0" }, undefined, "mcp:Client"],
    [{}, undefined, "mcp:unnamed"],
    [undefined, undefined, "mcp:unnamed"],
    [{ name: "Client" }, "alice@example.com", "mcp-user:alice@example.com Client"],
    [{ name: "bob Client" }, "alice", "mcp-user:alice bob Client"],
  ])("P-06 H-02 names the client, and who was authenticated (%#)", (info, subject, principal) => {
    expect(clientPrincipal(info, subject)).toBe(principal);
  });

  it.each(["alice bob", "alice\n", "x".repeat(1000), ""])(
    "P-06 H-02 the subject %j passes for no other",
    (subject) => {
      expect(clientPrincipal({ name: "c" }, subject)).toMatch(/^mcp-user:[0-9a-f]{64} c$/);
    },
  );
});

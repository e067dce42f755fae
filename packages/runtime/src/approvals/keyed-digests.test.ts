import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import {
  type ApprovalCall,
  decideApproval,
  openApprovals,
  openAudit,
  resumeApproval,
} from "@skillwright/runtime/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { matchesCall } from "./index.ts";

const PIN = "4711";
const callWith = (pin: string): ApprovalCall => ({
  tool: "run_script",
  input: { args: [`--pin=${pin}`], script: "a.py", skill: "pdf" },
  cwd: "/work",
  skill: { name: "pdf", source: "project", digest: "sha256:1" },
  script: { path: "scripts/a.py", args: [`--pin=${pin}`], text: "print(1)\n" },
  command: ["python3", "scripts/a.py", `--pin=${pin}`],
  sandbox: "bubblewrap",
});
const open = (stateDirectory: string, runId = "run-1") => openApprovals({ stateDirectory, runId });
const yes = { approved: true, scope: "run", by: "person" } as const;

/** What someone who reads the record can compute for a guess: plain hashes, and HMACs without the key. */
function hashesOf(value: unknown): string[] {
  const text = JSON.stringify(value);
  return [
    createHash("sha256").update(text).digest("hex"),
    createHmac("sha256", "").update(text).digest("hex"),
    createHmac("sha256", "").update(`skillwright input 1\n${text}`).digest("hex"),
  ];
}

/** JSON with its names in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}

describe("digests of what may hold secrets", () => {
  it("P-02 P-04 a PIN cannot be guessed from the record of its approval", async () => {
    const folder = temporaryFolder();
    const stateDirectory = join(folder, "state");
    const approvals = await open(stateDirectory);
    const redactor = createRedactor({ env: {}, values: [PIN] });
    const audit = openAudit({ file: join(folder, "audit.jsonl"), stateDirectory, redactor });
    const request = await approvals.request(callWith(PIN));
    const recorded = await approvals.record(request, yes);
    if (!recorded.ok || recorded.approval === undefined) throw new Error("it was not recorded");
    const { approval } = recorded;
    audit.append({ event: "approval-request", data: request });
    audit.append({ event: "approval-decision", data: { request: request.id, approval } });
    audit.close();
    const record = readFileSync(audit.file, "utf8");
    expect(record).not.toContain(PIN);
    expect(record).toContain(request.inputDigest);
    for (let guess = 0; guess < 10_000; guess++) {
      const { input, command } = callWith(String(guess));
      const subject = { ...approval.subject, command };
      const guesses = [
        input,
        { subject: sorted(subject), run: "run-1" },
        sorted({ subject, run: "run-1" }),
      ];
      for (const hash of guesses.flatMap(hashesOf)) {
        if (record.includes(hash.slice(0, 32))) throw new Error(`found ${guess}`);
      }
    }
  });

  it("P-02 are the same in every process of the user and others for another user", async () => {
    const [mine, other] = [temporaryFolder(), temporaryFolder()];
    const [first, second, foreign] = await Promise.all(
      [mine, mine, other].map(async (state) => (await open(state)).request(callWith(PIN))),
    );
    expect(first?.inputDigest).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(second?.inputDigest).toBe(first?.inputDigest);
    expect(second?.script?.otherInputDigest).toBe(first?.script?.otherInputDigest);
    expect(foreign?.inputDigest).not.toBe(first?.inputDigest);
  });

  it("P-02 a stopped run goes on with what was approved, and only with that", async () => {
    const state = temporaryFolder();
    const stored: unknown = JSON.parse(
      JSON.stringify(await (await open(state)).request(callWith(PIN))),
    );
    const approvals = await open(state);
    const { id } = stored as { id: string };
    expect(await resumeApproval(stored, id, { approvals })).toMatchObject({ ok: true });
    const approver = { ask: async () => ({ ...yes, approved: false }) };
    const decide = async (pin: string) => {
      const request = await approvals.request(callWith(pin));
      const { decision } = await decideApproval(request, { approvals, approver });
      return decision.approved && matchesCall(request, callWith(pin));
    };
    expect(await decide("4712")).toBe(false);
    expect(await decide(PIN)).toBe(true);
  });
});

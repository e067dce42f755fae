import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { AuditError, type AuditEvent, createRedactor } from "../index.ts";
import { forgetAudit, openAudit, type OpenAuditOptions } from "../internal/index.ts";
import { realDisk, verifyAudit } from "./index.ts";

function place(changes: Partial<OpenAuditOptions> = {}): OpenAuditOptions {
  const folder = temporaryFolder();
  return {
    file: join(folder, "project/.agent/audit.jsonl"),
    stateDirectory: join(folder, "state"),
    redactor: createRedactor({ env: {} }),
    clock: () => 1_800_000_000_000,
    ids: () => "log-1",
    sync: "never",
    ...changes,
  };
}

const record = (options: OpenAuditOptions, events: readonly AuditEvent[]) => {
  const audit = openAudit(options);
  for (const event of events) audit.append(event);
  audit.close();
};

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a record", () => {
  it("P-03 has one JSON object per line, each with the hash of the one before", () => {
    const options = place();
    const audit = openAudit(options);
    const first = audit.append({ event: "run-start", data: { request: "merge" } });
    expect(linesOf(options.file), "written before append returns").toEqual([first]);
    const second = audit.append({ event: "run-end" });
    audit.close();
    expect(linesOf(options.file)).toEqual([first, second]);
    expect(Object.keys(second)).toEqual([
      "schemaVersion",
      "sequence",
      "time",
      "event",
      "data",
      "previous",
      "hash",
    ]);
    expect(first).toMatchObject({
      schemaVersion: 1,
      sequence: 1,
      time: "2027-01-15T08:00:00.000Z",
      event: "run-start",
      data: { request: "merge" },
    });
    expect(second).toMatchObject({ sequence: 2, data: null, previous: first.hash });
  });

  it("P-03 is for its owner only, and so is its key, which is not beside it", () => {
    const options = place();
    record(options, [{ event: "run-start" }]);
    const mode = (file: string) => statSync(file).mode & 0o777;
    expect(mode(options.file)).toBe(0o600);
    expect(mode(join(options.stateDirectory, "audit/key"))).toBe(0o600);
    expect(mode(join(options.stateDirectory, "audit"))).toBe(0o700);
  });

  it("P-03 goes on where it ended", async () => {
    const options = place();
    record(options, [{ event: "run-start" }, { event: "file-read" }]);
    record(options, [{ event: "run-end" }]);
    expect(linesOf(options.file).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(await verifyAudit(options.file, options)).toEqual({
      ok: true,
      records: 3,
      log: "log-1",
      recovered: 0,
      interrupted: 0,
    });
  });

  it("P-03 keeps text from breaking out of its line or into a terminal", () => {
    const options = place();
    const hostile = 'a\n{"schemaVersion":1}\r\u001B[2J\u202E\u009B\u2028\u{E0041}"}';
    record(options, [{ event: "file-read", data: { [hostile]: hostile } }]);
    expect(linesOf(options.file)).toHaveLength(1);
    expect(linesOf(options.file)[0]?.["data"]).toEqual({ [hostile]: hostile });
    expect(readFileSync(options.file, "utf8").trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  });

  it("P-03 leaves out data that would make a line too long", async () => {
    const redact = (value: unknown) => value;
    const options = place({ redactor: { ...createRedactor({ env: {} }), redact } });
    record(options, [{ event: "file-read", data: "x".repeat(2_000_000) }, { event: "run-end" }]);
    expect(linesOf(options.file)[0]?.["data"]).toEqual({ cut: true, bytes: expect.any(Number) });
    expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records: 2 });
  });

  it.each(["run", "Run-Start", "run-", "-x", "run start", "a-b\n", `a-${"b".repeat(80)}`])(
    "P-03 refuses an event named %j",
    (event) => {
      const options = place();
      expect(() => record(options, [{ event: event as "run-start" }])).toThrow(TypeError);
    },
  );

  it("P-03 stays in order when data that is read records something itself", async () => {
    const options = place();
    const audit = openAudit(options);
    const data = {
      get nested() {
        return audit.append({ event: "file-read" }).sequence;
      },
    };
    expect(audit.append({ event: "tool-call", data })).toMatchObject({
      sequence: 2,
      data: { nested: 1 },
    });
    audit.close();
    expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records: 2 });
  });

  it("P-03 is synced before an act that matters, and when it is closed", () => {
    const synced: string[] = [];
    let event = "";
    const disk = { ...realDisk, sync: () => void synced.push(event) };
    const audit = openAudit(place({ disk, sync: "boundary" }));
    for (event of [
      "run-start",
      "approval-request",
      "tool-call",
      "script-start",
      "file-read",
      "run-end",
    ]) {
      audit.append({ event: event as "run-start" });
    }
    event = "close";
    audit.close();
    expect(synced).toEqual(["approval-request", "script-start", "run-end", "close", "close"]);
  });

  it("P-03 says that it was closed", () => {
    const audit = openAudit(place());
    audit.close();
    audit.close();
    expect(() => audit.append({ event: "run-end" })).toThrow(AuditError);
    expect(() => audit.sync()).toThrow(/closed/);
  });

  it("P-03 does not begin anew where one was, unless a person says so", async () => {
    const options = place({ sync: "boundary" });
    record(options, [{ event: "run-start" }]);
    rmSync(options.file);
    expect(() => openAudit(options)).toThrow(/not as it was written: lines are missing/);
    forgetAudit(options.file, options);
    record({ ...options, ids: () => "log-2" }, [{ event: "run-start" }]);
    expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, log: "log-2" });
  });

  it("P-03 is not taken up again after someone touched its end", () => {
    const endings: readonly ((text: string) => string)[] = [
      (text) => text.replace(/(?<=\n).*\n$/, ""),
      (text) => text.replace(/a(?=[^a]*$)/, "b"),
      (text) => `${text}someone else\n`,
      (text) => `${text}${"x".repeat(1_100_000)}`,
    ];
    for (const change of endings) {
      const options = place({ sync: "boundary" });
      record(options, [
        { event: "run-start", data: "a" },
        { event: "run-end", data: "a" },
      ]);
      writeFileSync(options.file, change(readFileSync(options.file, "utf8")));
      const before = readFileSync(options.file);
      expect(() => openAudit(options)).toThrow(AuditError);
      expect(readFileSync(options.file).equals(before), "left as evidence").toBe(true);
    }
  });

  it("P-03 of unknown origin is not taken up", () => {
    const options = place();
    record(options, [{ event: "run-start" }]);
    const other = { ...options, stateDirectory: temporaryFolder() };
    expect(() => openAudit(other)).toThrow(/nothing is known of it/);
  });
});

describe("any sequence of events", () => {
  const names = fc.constantFrom("run-start", "file-read", "script-start", "tool-call", "run-end");
  const event = fc.record({ event: names, data: fc.anything({ withBigInt: true, withMap: true }) });
  const sessions = fc.array(fc.array(event, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

  it("P-03 verifies, however often the record is opened and whatever the clock does", async () => {
    const clock = fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(sessions, clock, async (sessions, times) => {
        let call = 0;
        const options = place({ clock: () => times[call++ % times.length]! });
        for (const events of sessions) record(options, events);
        const records = sessions.flat().length;
        expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records });
      }),
      { numRuns: 60 },
    );
  });
});

describe("secrets", () => {
  const letters = fc.constantFrom(..."abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789");
  const random = fc.string({ unit: letters, minLength: 24, maxLength: 40 });
  const shaped = random.chain((text) =>
    fc.constantFrom(
      `sk-${text}`,
      `ghp_${text}`,
      `xoxb-${text}`,
      `github_pat_${text}`,
      `npm_${text}${text}`,
    ),
  );
  const known = fc
    .oneof(random, fc.string({ unit: "grapheme", minLength: 12, maxLength: 60 }))
    .filter((text) => /\S{4}/.test(text));
  const filler = fc.constantFrom("", " ", "a ", "\n", '"', "x=", "https://h/", "{", "; ");

  it("P-03 are never in the file, wherever they stood in the events", () => {
    const property = fc.property(known, shaped, filler, filler, (known, shaped, before, after) => {
      const options = place({ redactor: createRedactor({ env: { SOME_SECRET: known } }) });
      const base64 = Buffer.from(known).toString("base64");
      const forms = [known, shaped, encodeURIComponent(known)];
      const texts = [...forms, base64].map((form) => `${before}${form}${after}`);
      const error = new Error(texts.join(" "), { cause: texts });
      const data = { texts, error, map: new Map([[texts, texts]]), deep: [[{ a: { b: texts } }]] };
      const named = { authorization: "not-known", list: [{ apiKey: ["not-known"] }] };
      const keys = Object.fromEntries(texts.map((text) => [text, 1]));
      record(options, [{ event: "tool-call", data: [data, named, keys] }]);
      const written = readFileSync(options.file, "utf8");
      const json = JSON.stringify(known).slice(1, -1);
      for (const secret of [...forms, json, base64.slice(0, 14), "not-known"])
        expect(written).not.toContain(secret);
    });
    fc.assert(property, { numRuns: numRuns(200) });
  });
});

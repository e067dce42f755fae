import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createRedactor } from "../index.ts";
import { openAudit } from "../internal/index.ts";
import { verifyAudit } from "./index.ts";

const redactor = createRedactor({ env: {} });
const COUNT = 6;

/** A record of six lines. */
function written(name = "audit.jsonl", stateDirectory?: string) {
  const folder = temporaryFolder();
  const options = {
    file: join(folder, name),
    stateDirectory: stateDirectory ?? join(folder, "state"),
    redactor,
    clock: () => 1_800_000_000_000,
    ids: () => `log of ${folder.slice(-6)}`,
  };
  const audit = openAudit(options);
  for (let index = 0; index < COUNT; index++) {
    audit.append({ event: "tool-call", data: { index, text: `call ${index}` } });
  }
  audit.close();
  return options;
}

const linesOf = (file: string) => readFileSync(file, "latin1").split(/(?<=\n)/);

/** What is found after the lines were changed, as `line kind`. */
async function findings(change: (lines: string[]) => readonly string[]): Promise<string[]> {
  const { file, stateDirectory } = written();
  writeFileSync(file, change(linesOf(file)).join(""), "latin1");
  const result = await verifyAudit(file, { stateDirectory });
  return result.ok ? [] : result.problems.map(({ line, kind }) => `${line} ${kind}`);
}

describe("what verifyAudit finds", () => {
  it("P-03 nothing in what was not touched", async () => {
    expect(await findings((lines) => lines)).toEqual([]);
  });

  const edits: readonly (readonly [string, (lines: string[]) => readonly string[], string[]])[] = [
    ["an edited line", (all) => all.with(2, all[2]!.replace("call", "coll")), ["3 edited"]],
    ["a blank added", (all) => all.with(2, all[2]!.replace(":", ": ")), ["3 edited"]],
    ["an edited last line", (all) => all.with(5, all[5]!.replace("call", "x")), ["6 edited"]],
    ["a line removed", (all) => all.toSpliced(2, 1), ["3 gap"]],
    ["the first line removed", (all) => all.slice(1), ["1 gap"]],
    ["several removed", (all) => all.toSpliced(1, 3), ["2 gap"]],
    [
      "two swapped",
      (all) => [...all.slice(0, 2), all[3]!, all[2]!, ...all.slice(4)],
      ["3 reordered", "4 reordered"],
    ],
    ["a line twice", (all) => [...all.slice(0, 3), all[2]!, ...all.slice(3)], ["4 reordered"]],
    ["the end cut", (all) => all.slice(0, -2), ["5 truncated"]],
    ["everything cut", () => [], ["1 truncated"]],
    ["half a line at the end", (all) => [...all, all[5]!.slice(0, 50)], ["7 torn"]],
    ["the last newline cut", (all) => all.with(5, all[5]!.trimEnd()), ["6 torn", "7 truncated"]],
    [
      "a line of someone else",
      (all) => [...all.slice(0, 3), "hello\n", ...all.slice(3)],
      ["4 foreign"],
    ],
    ["an empty line", (all) => [...all.slice(0, 3), "\n", ...all.slice(3)], ["4 foreign"]],
    ["an endless line", (all) => [...all, `${"x".repeat(3_000_000)}\n`], ["7 foreign"]],
    [
      "a forged line",
      (all) => [...all.slice(0, 3), all[3]!.replace("call 3", "none"), ...all.slice(3)],
      ["4 edited"],
    ],
    ["binary", (all) => all.with(1, "\0\xff\xfe\n"), ["2 foreign"]],
    ["a line ending of Windows", (all) => all.with(1, all[1]!.replace("\n", "\r\n")), ["2 edited"]],
  ];

  it.each(edits)("P-03 %s", async (_, change, expected) => {
    expect(await findings(change)).toEqual(expected);
  });

  it("P-03 a record put in the place of another, whole or in part", async () => {
    const first = written();
    const second = written("other.jsonl", first.stateDirectory);
    const own = linesOf(first.file);
    cpSync(second.file, first.file);
    expect(await verifyAudit(first.file, first)).toMatchObject({
      ok: false,
      problems: [
        { line: 1, kind: "foreign" },
        { line: 6, kind: "foreign" },
      ],
    });
    writeFileSync(first.file, [...own.slice(0, 5), linesOf(second.file)[5]].join(""));
    expect(await verifyAudit(first.file, first)).toMatchObject({
      ok: false,
      problems: [{ line: 6, kind: "foreign" }],
    });
  });

  it("P-03 a record that is gone, was never there, or comes from elsewhere", async () => {
    const gone = written();
    rmSync(gone.file);
    expect(await verifyAudit(gone.file, gone)).toMatchObject({
      problems: [{ line: 1, kind: "truncated" }],
    });
    const never = await verifyAudit(`${gone.file}.other`, gone);
    expect(never).toMatchObject({ problems: [{ line: 0, kind: "foreign" }] });
    const elsewhere = await verifyAudit(written().file, { stateDirectory: temporaryFolder() });
    expect(elsewhere).toMatchObject({ problems: [{ line: 0, kind: "foreign" }] });
  });

  it("P-03 nothing in one that was moved, when told where it was written", async () => {
    const { file, stateDirectory } = written();
    const moved = join(temporaryFolder(), "moved.jsonl");
    cpSync(file, moved);
    const options = { stateDirectory, writtenAs: file };
    expect(await verifyAudit(moved, options)).toMatchObject({ ok: true, records: COUNT });
    expect(await verifyAudit(moved, { stateDirectory })).toMatchObject({ ok: false });
  });

  it("P-03 no more than a hundred problems, and counts the others", async () => {
    const { file, stateDirectory } = written();
    writeFileSync(file, "x\n".repeat(1000));
    const result = await verifyAudit(file, { stateDirectory });
    expect(result).toMatchObject({ ok: false, more: 900 });
  });

  it("P-03 refuses what is no file, and does not wait for a FIFO", async () => {
    const { file, stateDirectory } = written();
    const options = { stateDirectory, writtenAs: file };
    await expect(verifyAudit(dirname(file), options)).rejects.toThrow(/regular file|cannot read/);
    await expect(verifyAudit("/dev/zero", options)).rejects.toThrow(/regular file/);
  });
});

describe("any change", () => {
  let file: string;
  let stateDirectory: string;
  let original: Buffer;
  beforeEach(() => {
    ({ file, stateDirectory } = written());
    original = readFileSync(file);
  });

  const verified = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    return verifyAudit(file, { stateDirectory });
  };
  const at = fc.nat({ max: 100_000 });

  it("P-03 of a single byte is found", async () => {
    const property = fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(original);
      bytes[at % bytes.length]! ^= change;
      expect(await verified(bytes)).toMatchObject({ ok: false });
    });
    await fc.assert(property, { numRuns: numRuns(500) });
  });

  it("P-03 of the length is found, wherever bytes are cut out or put in", async () => {
    const added = fc.uint8Array({ maxLength: 20 });
    const property = fc.asyncProperty(at, at, added, async (from, length, bytes) => {
      const start = from % (original.length + 1);
      const end = start + (length % (original.length - start + 1));
      const changed = Buffer.concat([original.subarray(0, start), bytes, original.subarray(end)]);
      fc.pre(!changed.equals(original));
      expect(await verified(changed)).toMatchObject({ ok: false });
    });
    await fc.assert(property, { numRuns: numRuns(500) });
  });

  it("P-03 of the order or number of lines is found", async () => {
    const lines = fc.array(fc.nat({ max: COUNT - 1 }), { maxLength: 8 });
    const property = fc.asyncProperty(lines, async (indices) => {
      fc.pre(indices.join() !== "0,1,2,3,4,5");
      const all = original.toString("latin1").split(/(?<=\n)/);
      expect(
        await verified(Buffer.from(indices.map((index) => all[index]).join(""), "latin1")),
      ).toMatchObject({ ok: false });
    });
    await fc.assert(property, { numRuns: numRuns(300) });
  });
});

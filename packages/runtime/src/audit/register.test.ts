import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { AuditError, createRedactor } from "../index.ts";
import {
  acceptAudits,
  finishRemovals,
  forgetAudit,
  listAudits,
  openAudit,
  pruneAudits,
  removeAudit,
} from "../internal/index.ts";

const redactor = createRedactor({ env: {} });
const NOTHING = { missing: [], pruned: 0, problems: [] };

/** Records `a`, `b` and `c` of three lines each. */
function newRecords(names: readonly string[] = ["a", "b", "c"]) {
  const root = temporaryFolder();
  const directory = join(root, "project/.agent/runs");
  const stateDirectory = join(root, "state");
  const fileOf = (name: string) => join(directory, name, "audit.jsonl");
  const write = (name: string) => {
    const audit = openAudit({ file: fileOf(name), stateDirectory, redactor });
    for (let i = 0; i < 3; i++) audit.append({ event: "tool-call" });
    audit.close();
  };
  names.forEach(write);
  return {
    directory,
    stateDirectory,
    fileOf,
    write,
    register: join(stateDirectory, "audit/records.jsonl"),
    list: () => listAudits(directory, { stateDirectory }),
    accept: () => acceptAudits(directory, { stateDirectory }),
    remove: (name: string) => removeAudit(fileOf(name), { stateDirectory }),
  };
}

describe("records that were deleted", () => {
  it("P-03 F8: one of several is missing", async () => {
    const { directory, fileOf, list } = newRecords();
    expect(await list()).toEqual(NOTHING);
    rmSync(join(directory, "b"), { recursive: true });
    expect(await list()).toEqual({
      ...NOTHING,
      missing: [{ file: fileOf("b"), records: 3 }],
    });
  });

  it("P-03 F8: all of them are missing", async () => {
    const { directory, list } = newRecords();
    rmSync(dirname(directory), { recursive: true });
    expect((await list()).missing).toHaveLength(3);
  });

  it("P-03 F8: one whose head was deleted as well is missing", async () => {
    const { directory, stateDirectory, fileOf, list } = newRecords();
    rmSync(join(directory, "b"), { recursive: true });
    rmSync(join(stateDirectory, "audit/heads"), { recursive: true });
    expect(await list()).toEqual({ ...NOTHING, missing: [{ file: fileOf("b") }] });
  });

  it("P-03 F8: one that was emptied, with its head, is missing", async () => {
    const { stateDirectory, fileOf, list } = newRecords();
    truncateSync(fileOf("c"));
    rmSync(join(stateDirectory, "audit/heads"), { recursive: true });
    expect((await list()).missing).toEqual([{ file: fileOf("c") }]);
  });

  it("P-03 F8: those of another folder are not reported", async () => {
    const { directory, stateDirectory } = newRecords();
    rmSync(directory, { recursive: true });
    const elsewhere = join(dirname(directory), "run");
    expect(await listAudits(elsewhere, { stateDirectory })).toEqual(NOTHING);
  });

  it("P-03 F8: they are reported until a person accepts it", async () => {
    const { directory, list, accept, write } = newRecords();
    rmSync(join(directory, "b"), { recursive: true });
    expect((await accept()).missing).toHaveLength(1);
    expect(await list()).toEqual(NOTHING);
    rmSync(join(directory, "a"), { recursive: true });
    write("d");
    expect((await list()).missing).toHaveLength(1);
  });
});

describe("the register", () => {
  const damages: Record<string, (register: string) => void> = {
    "is deleted": (register) => rmSync(register),
    "is deleted with its head": (register) => {
      rmSync(register);
      rmSync(register.replace("jsonl", "head"));
    },
    "has lost its head": (register) => rmSync(register.replace("jsonl", "head")),
    "was emptied, without its head": (register) => {
      truncateSync(register);
      rmSync(register.replace("jsonl", "head"));
    },
    "has lost a line": (register) => {
      const lines = readFileSync(register, "utf8").split("\n");
      writeFileSync(register, lines.toSpliced(2, 1).join("\n"));
    },
    "has lost its last line": (register) => {
      const lines = readFileSync(register, "utf8").split("\n");
      writeFileSync(register, lines.toSpliced(-2, 1).join("\n"));
    },
    "was edited": (register) => {
      writeFileSync(register, readFileSync(register, "utf8").replace("/b/", "/x/"));
    },
    "goes on in other words": (register) => appendFileSync(register, "{}\n"),
  };

  it.each(Object.keys(damages))("P-03 F8: that it %s is noticed, now and later", async (name) => {
    const { directory, register, list, accept, write } = newRecords();
    rmSync(join(directory, "c"), { recursive: true });
    damages[name]?.(register);
    expect((await list()).problems, "at once").not.toEqual([]);
    write("d");
    expect((await list()).problems, "after more was recorded").not.toEqual([]);
    await accept();
    expect(await list(), "accepted").toEqual(NOTHING);
    rmSync(join(directory, "a"), { recursive: true });
    expect((await list()).missing, "still watched").toHaveLength(1);
  });

  it("P-03 F8: is rebuilt from the heads, and the damaged one is kept", async () => {
    const { directory, register, list, write, fileOf } = newRecords();
    writeFileSync(register, "{}\n");
    write("d");
    rmSync(join(directory, "b"), { recursive: true });
    expect((await list()).missing).toEqual([{ file: fileOf("b"), records: 3 }]);
    const kept = readdirSync(dirname(register)).find((name) => name.includes("damaged"));
    expect(readFileSync(join(dirname(register), kept ?? ""), "utf8")).toBe("{}\n");
  });

  it("P-03 F8: a crash before its first line, or before the first line of a record, is no problem", async () => {
    const first = newRecords([]);
    mkdirSync(dirname(first.register), { recursive: true });
    writeFileSync(first.register, "", { mode: 0o600 });
    first.write("a");
    expect(await first.list()).toEqual(NOTHING);
    const second = newRecords(["a"]);
    writeFileSync(join(second.directory, "a/other.jsonl"), "");
    expect(await second.list()).toEqual(NOTHING);
  });

  it("P-03 F8: nothing begins that cannot be registered", () => {
    const { stateDirectory, write } = newRecords(["a"]);
    rmSync(join(stateDirectory, "audit/records.jsonl"));
    mkdirSync(join(stateDirectory, "audit/records.jsonl"));
    expect(() => write("b")).toThrow(AuditError);
  });
});

describe("records that were removed on purpose", () => {
  it("P-03 F8: leave a line of the register that tells them from deleted ones", async () => {
    const { directory, fileOf, register, list, remove } = newRecords();
    const last = readFileSync(fileOf("b"), "utf8").trimEnd().split("\n").at(-1) ?? "";
    expect(remove("b")).toBe(true);
    rmSync(join(directory, "c"), { recursive: true });
    expect(readdirSync(directory)).toEqual(["a"]);
    expect(await list()).toEqual({
      missing: [{ file: fileOf("c"), records: 3 }],
      pruned: 1,
      problems: [],
    });
    const mark = readFileSync(register, "utf8").trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(mark)).toMatchObject({
      event: "record-pruned",
      data: { file: fileOf("b"), sequence: 3, hash: (JSON.parse(last) as { hash: string }).hash },
    });
    writeFileSync(
      register,
      readFileSync(register, "utf8").replace('"record-pruned"', '"record-begun"'),
    );
    expect((await list()).problems, "the line cannot be forged").not.toEqual([]);
  });

  it("P-03 F8: are watched again when they begin anew", async () => {
    const { directory, fileOf, stateDirectory, list, write } = newRecords(["a"]);
    rmSync(fileOf("a"));
    forgetAudit(fileOf("a"), { stateDirectory });
    expect(await list()).toEqual({ ...NOTHING, pruned: 1 });
    write("a");
    expect(await list()).toEqual(NOTHING);
    rmSync(directory, { recursive: true });
    expect((await list()).missing).toHaveLength(1);
  });

  it("P-03 F8: stay when they cannot be moved, and stay watched", async () => {
    const { directory, list, remove } = newRecords(["a"]);
    renameSync(directory, `${directory}-elsewhere`);
    expect(() => remove("a")).toThrow("ENOENT");
    expect((await list()).missing).toHaveLength(1);
  });

  it("P-03 F8: stay while they are written", () => {
    const { fileOf, stateDirectory, remove } = newRecords(["a"]);
    const audit = openAudit({ file: fileOf("a"), stateDirectory, redactor });
    expect(remove("a")).toBe(false);
    audit.close();
    expect(remove("a")).toBe(true);
  });

  it("P-03 F8: what a cut-off removal left goes with the next, and is not missing", async () => {
    const { directory, fileOf, stateDirectory, list, remove } = newRecords();
    remove("a");
    mkdirSync(join(directory, ".removed-a"));
    const also: string[] = [];
    finishRemovals(directory, (folder) => join(folder, "audit.jsonl"), {
      stateDirectory,
      alsoRemove: (name) => also.push(name),
    });
    expect(also).toEqual(["a"]);
    expect(readdirSync(directory)).toEqual(["b", "c"]);
    expect(await list()).toEqual({ ...NOTHING, pruned: 1 });
    expect(existsSync(fileOf("b"))).toBe(true);
  });

  it("P-03 F8: a folder that somebody named like a removal does not count as one", async () => {
    const { directory, stateDirectory, list } = newRecords();
    renameSync(join(directory, "a"), join(directory, ".removed-a"));
    finishRemovals(directory, (folder) => join(folder, "audit.jsonl"), { stateDirectory });
    expect((await list()).missing).toHaveLength(1);
  });

  it("P-03 F8: the oldest go, by number and by age, but no damaged one", async () => {
    const { directory, fileOf, stateDirectory, list } = newRecords(["a", "b", "c", "d"]);
    const record = "audit.jsonl";
    appendFileSync(fileOf("a"), "x\n");
    const yesterday = Date.now() / 1000 - 86_400;
    for (const name of ["a", "b", "d"]) utimesSync(fileOf(name), yesterday, yesterday);
    const olderThan = Date.now() - 3_600_000;
    expect(await pruneAudits(directory, { stateDirectory, record, keep: 1, olderThan })).toEqual({
      removed: ["b"],
      kept: [
        { name: "d", reason: "new" },
        { name: "c", reason: "new" },
        { name: "a", reason: "damaged" },
      ],
    });
    expect(await list()).toEqual({ ...NOTHING, pruned: 1 });
    expect(readdirSync(directory)).toEqual(["a", "c", "d"]);
  });

  it.skipIf(process.getuid?.() === 0)("P-03 F8: stay when the line cannot be written", async () => {
    const { register, list, remove } = newRecords(["a"]);
    chmodSync(register, 0o400);
    expect(() => remove("a")).toThrow(AuditError);
    expect(await list()).toEqual(NOTHING);
  });
});

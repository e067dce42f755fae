import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AuditDisk, realDisk, verifyAudit } from "../../packages/runtime/src/audit/index.ts";
import { AuditError, createRedactor } from "../../packages/runtime/src/index.ts";
import { openAudit, type OpenAuditOptions } from "../../packages/runtime/src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function place(changes: Partial<OpenAuditOptions> = {}): OpenAuditOptions {
  const folder = temporaryFolder();
  const redactor = createRedactor({ env: {} });
  return {
    file: join(folder, "audit.jsonl"),
    stateDirectory: join(folder, "state"),
    redactor,
    ...changes,
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: it fails`), { code });
}

/** A disk whose calls fail as told: by name, from the first call on after `arm`. */
function failingDisk(fails: Partial<Record<keyof AuditDisk, string>>, partial = 0) {
  let isArmed = false;
  const check = (name: keyof AuditDisk) => {
    if (isArmed && fails[name] !== undefined) throw failure(fails[name]);
  };
  let left = partial;
  const disk: AuditDisk = {
    write(descriptor, bytes, position) {
      if (isArmed && fails.write !== undefined && left > 0 && position === null) {
        const part = bytes.subarray(0, Math.min(left, bytes.length));
        left = 0;
        return realDisk.write(descriptor, part, position);
      }
      check("write");
      return realDisk.write(descriptor, bytes, position);
    },
    sync(descriptor) {
      check("sync");
      realDisk.sync(descriptor);
    },
    truncate(descriptor, size) {
      check("truncate");
      realDisk.truncate(descriptor, size);
    },
  };
  return { disk, arm: () => (isArmed = true), mend: () => (isArmed = false) };
}

function headOf({ stateDirectory }: OpenAuditOptions): string {
  const heads = join(stateDirectory, "audit/heads");
  return join(
    heads,
    readdirSync(heads).find((name) => name.endsWith(".head"))!,
  );
}

const codeOf = (operation: () => unknown): string => {
  try {
    operation();
  } catch (error) {
    return AuditError.isInstance(error) ? error.code : String(error);
  }
  return "done";
};

describe("a disk that is full", () => {
  it.each([0, 1, 40, 200])(
    "P-03 refuses the act and leaves whole lines, after %i bytes",
    async (partial) => {
      const { disk, arm, mend } = failingDisk({ write: "ENOSPC" }, partial);
      const options = place({ disk });
      const audit = openAudit(options);
      audit.append({ event: "run-start" });
      const before = readFileSync(options.file, "utf8");
      arm();
      let hasActed = false;
      const act = () => {
        audit.append({ event: "script-start", data: { script: "x".repeat(300) } });
        hasActed = true;
      };
      expect(codeOf(act)).toBe("audit-unwritable");
      expect(hasActed).toBe(false);
      expect(readFileSync(options.file, "utf8")).toBe(before);
      expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records: 1 });
      mend();
      act();
      audit.close();
      expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records: 2 });
    },
  );

  it("P-03 leaves a torn line that the next opening cuts off and tells of", async () => {
    const { disk, arm } = failingDisk({ write: "ENOSPC", truncate: "EIO" }, 30);
    const options = place({ disk });
    const audit = openAudit(options);
    audit.append({ event: "run-start" });
    arm();
    expect(codeOf(() => audit.append({ event: "file-read" }))).toBe("audit-unwritable");
    expect(codeOf(() => audit.append({ event: "file-read" }))).toBe("audit-closed");
    audit.close();
    expect(await verifyAudit(options.file, options)).toMatchObject({
      ok: false,
      problems: [{ line: 2, kind: "torn" }],
    });
    const { disk: _, ...healthy } = options;
    openAudit(healthy).close();
    expect(await verifyAudit(options.file, options)).toMatchObject({
      ok: true,
      records: 2,
      recovered: 1,
    });
    expect(readFileSync(options.file, "utf8")).toContain('"data":{"lostRecords":0,"cutBytes":30,');
  });

  it("P-03 refuses the act when it cannot be made to last, and all that follow", async () => {
    const { disk, arm, mend } = failingDisk({ sync: "EIO" });
    const options = place({ disk });
    const audit = openAudit(options);
    audit.append({ event: "run-start" });
    arm();
    expect(codeOf(() => audit.append({ event: "script-start" }))).toBe("audit-unwritable");
    mend();
    expect(codeOf(() => audit.append({ event: "script-start" }))).toBe("audit-closed");
    audit.close();
    expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records: 1 });
    const next = openAudit(options);
    next.append({ event: "script-start" });
    next.close();
    expect(await verifyAudit(options.file, options)).toMatchObject({
      ok: true,
      records: 2,
      recovered: 0,
    });
  });

  it("P-03 keeps file and head together, whichever write fails", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (outcomes) => {
        let call = 0;
        let isArmed = false;
        const disk: AuditDisk = {
          ...realDisk,
          write(descriptor, bytes, position) {
            if (isArmed && outcomes[call++ % outcomes.length] === false) throw failure("ENOSPC");
            return realDisk.write(descriptor, bytes, position);
          },
        };
        const options = place({ disk, sync: "never" });
        const audit = openAudit(options);
        isArmed = outcomes.length > 0;
        const done = outcomes.filter(
          () => codeOf(() => audit.append({ event: "tool-call" })) === "done",
        );
        audit.close();
        const records = done.length;
        expect(await verifyAudit(options.file, options)).toMatchObject({ ok: true, records });
        openAudit({ ...options, disk: realDisk }).close();
        expect(await verifyAudit(options.file, options)).toMatchObject({ records, recovered: 0 });
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });
});

describe("after a power failure", () => {
  /** A record whose lines after the first never reached the disk; its head did. */
  function interrupted(first: "script-start" | "file-read") {
    const options = place();
    const audit = openAudit(options);
    audit.append({ event: first });
    const { size } = statSync(options.file);
    audit.append({ event: "file-read" });
    audit.append({ event: "file-read" });
    const head = headOf(options);
    const bytes = readFileSync(head);
    audit.close();
    writeFileSync(head, bytes);
    return { options, size };
  }

  it("P-03 lines that were not synced are told to be lost", async () => {
    const { options, size } = interrupted("script-start");
    truncateSync(options.file, size + 20);
    expect(await verifyAudit(options.file, options)).toMatchObject({
      problems: [{ kind: "torn" }, { kind: "truncated" }],
    });
    openAudit(options).close();
    expect(readFileSync(options.file, "utf8")).toContain('"data":{"lostRecords":2,"cutBytes":20,');
    const expected = { ok: true, records: 2, recovered: 1 };
    expect(await verifyAudit(options.file, options)).toMatchObject(expected);
  });

  it("P-03 lines that were synced must be there", () => {
    const { options, size } = interrupted("script-start");
    truncateSync(options.file, size - 1);
    expect(codeOf(() => openAudit(options))).toBe("audit-damaged");
    truncateSync(options.file, 0);
    expect(codeOf(() => openAudit(options))).toBe("audit-damaged");
  });
});

describe("a record that someone else touches while it is written", () => {
  const changes: readonly (readonly [string, (file: string) => void])[] = [
    ["appended to", (file) => appendFileSync(file, "x\n")],
    ["cut", (file) => truncateSync(file, 0)],
    ["moved away", (file) => renameSync(file, `${file}.old`)],
    [
      "replaced",
      (file) => {
        const text = readFileSync(file);
        renameSync(file, `${file}.old`);
        writeFileSync(file, text);
      },
    ],
  ];
  it.each(changes)("P-03 %s: the act is refused", (_, change) => {
    const options = place();
    const audit = openAudit(options);
    audit.append({ event: "run-start" });
    change(options.file);
    expect(codeOf(() => audit.append({ event: "script-start" }))).toBe("audit-damaged");
    audit.close();
  });
});

describe("a path that is", () => {
  it("P-03 a link, a second name, a folder or a device is refused", () => {
    const folder = temporaryFolder({ target: "" });
    const target = join(folder, "target");
    symlinkSync(target, join(folder, "link"));
    linkSync(target, join(folder, "second"));
    mkdirSync(join(folder, "folder"));
    for (const file of ["link", "second", "folder"]) {
      const options = place({ file: join(folder, file) });
      expect(
        codeOf(() => openAudit(options)),
        file,
      ).toBe("audit-unwritable");
    }
    expect(codeOf(() => openAudit(place({ file: "/dev/full" })))).toBe("audit-unwritable");
    expect(readFileSync(target, "utf8")).toBe("");
  });
});

describe("the state of the user", () => {
  it("P-03 with a key that others may read, or that is damaged, is not used", async () => {
    const options = place();
    openAudit(options).close();
    const key = join(options.stateDirectory, "audit/key");
    chmodSync(key, 0o644);
    expect(codeOf(() => openAudit(options))).toBe("audit-key-unusable");
    await expect(verifyAudit(options.file, options)).rejects.toThrow(/others may read it/);
    chmodSync(key, 0o600);
    truncateSync(key, 5);
    expect(codeOf(() => openAudit(options))).toBe("audit-key-unusable");
  });

  it("P-03 survives half a head, not a whole one", () => {
    const options = place();
    const audit = openAudit(options);
    for (let index = 0; index < 4; index++) audit.append({ event: "tool-call" });
    audit.close();
    const head = headOf(options);
    const bytes = readFileSync(head);
    for (const start of [0, 256]) {
      const torn = Buffer.from(bytes);
      torn.fill("x", start + 10, start + 30);
      writeFileSync(head, torn);
      expect(
        codeOf(() => openAudit(options).close()),
        `slot at ${start}`,
      ).toBe("done");
    }
    writeFileSync(head, Buffer.alloc(600));
    expect(codeOf(() => openAudit(options))).toBe("audit-damaged");
  });
});

describe("a record that is huge", () => {
  it("P-03 is verified in little memory", async () => {
    const options = place();
    const audit = openAudit(options);
    audit.append({ event: "run-start" });
    audit.close();
    truncateSync(options.file, 2 ** 28);
    const before = process.memoryUsage().rss;
    const result = await verifyAudit(options.file, options);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    expect(result).toMatchObject({ ok: false, problems: [{ line: 2, kind: "torn" }] });
  });
});

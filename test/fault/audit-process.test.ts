import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ownIdentity } from "@skillwright/core/internal";
import { createRedactor, verifyAudit } from "@skillwright/runtime";
import { finishRemovals, forgetAudit, listAudits, openAudit } from "@skillwright/runtime/internal";
import { SOURCES } from "../../scripts/packages.mjs";
import { sample } from "../support/suite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

let library: string;

beforeAll(async () => {
  const entry = `export { createRedactor } from "@skillwright/runtime";
export { openAudit, removeAudit } from "@skillwright/runtime/internal";`;
  const bundle = await rolldown({
    input: "entry",
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? id : null),
        load: (id) => (id === "entry" ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  library = `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`;
});

interface Ended {
  readonly stdout: string;
  readonly signal: string | null;
}

/** Runs code with `open(changes)` in another process; its arguments are the file and the state. */
function start(folder: string, body: string, wrapper: readonly string[] = []) {
  const source = `const { openAudit, createRedactor, removeAudit } = await import(${JSON.stringify(library)});
    const [file, stateDirectory] = process.argv.slice(1);
    const redactor = createRedactor({ env: {} });
    const open = (changes) => openAudit({ file, stateDirectory, redactor, ...changes });
    const codeOf = (act) => { try { act(); return "done"; } catch (error) { return error.code; } };
    ${body}`;
  const args = [
    "--input-type=module",
    "-e",
    source,
    join(folder, "p/audit.jsonl"),
    join(folder, "state"),
  ];
  const [command, ...rest] = [...wrapper, process.execPath, ...args];
  const child = spawn(command!, rest, { stdio: ["ignore", "pipe", "inherit"], cwd: "/" });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (_, signal) => resolve({ stdout, signal }));
  });
  return { child, ended };
}

function firstOutput(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.stdout?.once("data", resolve));
}

function own(folder: string) {
  const redactor = createRedactor({ env: {} });
  return { file: join(folder, "p/audit.jsonl"), stateDirectory: join(folder, "state"), redactor };
}

describe("a writer that is killed", () => {
  it("P-03 leaves a record that opens again and verifies", async () => {
    const folder = temporaryFolder();
    const options = own(folder);
    let records = 0;
    for (let round = 0; round < 5; round++) {
      const { child, ended } = start(
        folder,
        `const audit = open({ sync: "never" });
        audit.append({ event: "run-start" });
        console.log("begun");
        for (;;) audit.append({ event: "tool-call", data: { text: "x".repeat(Math.random() * 15000) } });`,
      );
      await firstOutput(child);
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 13));
      child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      const audit = openAudit(options);
      audit.append({ event: "run-end" });
      audit.close();
      const result = await verifyAudit(options.file, options);
      expect(result).toMatchObject({ ok: true });
      const before = records;
      records = result.ok ? result.records : 0;
      expect(records).toBeGreaterThan(before + 1);
    }
  });
});

describe("the register", () => {
  it("P-03 F8: kills while records begin and are removed leave nothing to report", async () => {
    for (const delay of sample(
      Array.from({ length: 60 }, (_, index) => index),
      12,
    )) {
      const folder = temporaryFolder();
      const records = join(folder, "p");
      const body = `const at = (i) => file.replace("audit.jsonl", i + "/audit.jsonl");
        console.log("begun");
        for (let i = 0; ; i++) {
          const audit = open({ file: at(i) });
          audit.append({ event: "run-start" });
          audit.close();
          if (i > 0) removeAudit(at(i - 1), { stateDirectory });
        }`;
      const { child, ended } = start(folder, body);
      await firstOutput(child);
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill("SIGKILL");
      await ended;
      const { stateDirectory, redactor } = own(folder);
      const check = async () => listAudits(records, { stateDirectory });
      expect(await check(), `after ${delay} ms`).toMatchObject({ missing: [], problems: [] });
      openAudit({ file: join(records, "next/audit.jsonl"), stateDirectory, redactor }).close();
      expect(await check(), "later").toMatchObject({ missing: [], problems: [] });
      finishRemovals(records, (run) => join(run, "audit.jsonl"), { stateDirectory });
      expect(readdirSync(records).filter((name) => name.startsWith("."))).toEqual([]);
      expect(await check(), "cleaned").toMatchObject({ missing: [], problems: [] });
    }
  });
});

describe("two writers", () => {
  it("P-03 the second gets a clear error, also within one process", async () => {
    const folder = temporaryFolder();
    const { child, ended } = start(
      folder,
      "open(); console.log('open'); setInterval(() => {}, 1000);",
    );
    await firstOutput(child);
    const message = `process ${child.pid} on `;
    expect(() => openAudit(own(folder))).toThrow(message);
    child.kill("SIGKILL");
    await ended;
    const audit = openAudit(own(folder));
    expect(() => openAudit(own(folder))).toThrow(`process ${process.pid} on `);
    audit.close();
    const next = openAudit(own(folder));
    audit.close();
    expect(() => openAudit(own(folder)), "closing twice frees nobody else's").toThrow(/is writing/);
    next.close();
  });

  it("P-03 of many that start at once on a new state one writes at a time", async () => {
    const folder = temporaryFolder();
    const body = `let done = 0;
      while (done < 20) {
        try {
          const audit = open({ sync: "never" });
          audit.append({ event: "tool-call", data: { pid: process.pid } });
          if (Math.random() < 0.1) process.kill(process.pid, "SIGKILL");
          audit.close();
          done++;
        } catch (error) {
          if (error.code !== "audit-locked") { console.log(error); break; }
        }
      }`;
    const all = await Promise.all(Array.from({ length: 6 }, () => start(folder, body).ended));
    expect(all.map(({ stdout }) => stdout).join("")).toBe("");
    const { file } = own(folder);
    const result = await verifyAudit(file, own(folder));
    expect(result).toMatchObject({
      ok: true,
      records: readFileSync(file, "utf8").split("\n").length - 1,
    });
    expect(statSync(join(folder, "state/audit/key")).size).toBe(32);
  });
});

it("P-03 processes that make the key at once all use the same one", async () => {
  for (let round = 0; round < 3; round++) {
    const folder = temporaryFolder();
    const body = `const at = ${Date.now() + 500};
      while (Date.now() < at);
      const audit = open({ file: file + process.pid });
      audit.append({ event: "run-start" });
      audit.close();
      console.log(file + process.pid);`;
    const all = await Promise.all(Array.from({ length: 4 }, () => start(folder, body).ended));
    for (const { stdout } of all) {
      const result = await verifyAudit(stdout.trim(), own(folder));
      expect(result).toMatchObject({ ok: true, records: 1 });
    }
    const state = readdirSync(join(folder, "state/audit")).sort();
    expect(state).toEqual(["heads", "key", "records.head", "records.jsonl"]);
    expect(await listAudits(folder, own(folder))).toEqual({ missing: [], pruned: 0, problems: [] });
  }
});

describe("a lock", () => {
  /** A record that another process seems to be writing. */
  const lockedRecord = (changes: object) => {
    const options = own(temporaryFolder());
    openAudit(options).close();
    const heads = join(options.stateDirectory, "audit/heads");
    const [head = ""] = readdirSync(heads);
    const lock = join(heads, head.replace(/head$/, "lock"));
    const holder = { ...ownIdentity(), token: randomUUID(), ...changes };
    writeFileSync(lock, JSON.stringify(holder));
    return { options, lock, names: () => readdirSync(heads).filter((name) => name !== head) };
  };

  const stale: readonly (readonly [string, object])[] = [
    ["a process that is no more", { pid: 2 ** 22 + 1 }],
    ["a process whose number another has now", { started: "1" }],
    ["before a restart", { boot: "another" }],
  ];
  it.runIf(process.platform === "linux").each(stale)("P-03 of %s is taken over", (_, changes) => {
    const { options, names } = lockedRecord(changes);
    const audit = openAudit(options);
    expect(() => openAudit(options)).toThrow(/is writing this record/);
    audit.close();
    openAudit(options).close();
    expect(names()).toEqual([]);
  });

  const held: readonly (readonly [string, object])[] = [
    ["this process", {}],
    ["another machine", { host: "another", boot: "another", pid: 2 ** 22 + 1 }],
    ["a namespace that cannot be seen", { namespace: "pid:[1]", pid: 2 ** 22 + 1 }],
  ];
  it.each(held)("P-03 of %s is held", (_, changes) => {
    const { options, lock, names } = lockedRecord(changes);
    expect(() => openAudit(options)).toThrow(
      expect.objectContaining({
        code: "audit-locked",
        message: expect.stringMatching(/^process \d+ on .+ is writing this record$/),
        hint: expect.stringContaining(lock),
      }),
    );
    expect(() => forgetAudit(options.file, options)).toThrow(/is writing this record/);
    expect(names()).toEqual([basename(lock)]);
  });

  it("P-03 that cannot be read is not taken for a free one", () => {
    const { options, lock } = lockedRecord({});
    writeFileSync(lock, "{");
    expect(() => openAudit(options)).toThrow(`the lock ${lock} cannot be read`);
  });
});

describe("a place that cannot be written", () => {
  const limited = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh"];

  it("P-03 a file that may grow no more: the act is refused, the record stays whole", async () => {
    const folder = temporaryFolder();
    const body = `const audit = open();
      let acts = 0;
      const act = () => { audit.append({ event: "script-start", data: "x".repeat(100) }); acts++; };
      let code = "done";
      while (code === "done" && acts < 1000) code = codeOf(act);
      audit.close();
      console.log(JSON.stringify({ acts, code }));`;
    const { stdout } = await start(folder, body, limited).ended;
    const { acts, code } = JSON.parse(stdout) as { acts: number; code: string };
    expect(code).toBe("audit-unwritable");
    expect(acts).toBeGreaterThan(3);
    const result = await verifyAudit(own(folder).file, own(folder));
    expect(result).toMatchObject({ ok: true, records: acts, recovered: 0 });
  });

  it("P-03 a read-only home or project is said, and nothing is left behind", async () => {
    for (const readOnly of ["state", "p"]) {
      const folder = temporaryFolder();
      chmodSync(folder, 0o755);
      for (const name of ["state", "p"]) {
        mkdirSync(join(folder, name));
        chmodSync(join(folder, name), name === readOnly ? 0o555 : 0o777);
      }
      const wrapper = isRoot ? NOBODY : [];
      const { stdout } = await start(folder, "console.log(codeOf(() => open()));", wrapper).ended;
      expect(stdout.trim()).toBe("audit-unwritable");
      expect(readdirSync(join(folder, readOnly))).toEqual([]);
      const left = readOnly === "p" ? readdirSync(join(folder, "state/audit/heads")) : [];
      expect(left.filter((name) => name.includes("lock"))).toEqual([]);
    }
  });
});

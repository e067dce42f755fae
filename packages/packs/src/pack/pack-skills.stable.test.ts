import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { PackFormat } from "../index.ts";
import { writeZip } from "./index.ts";

const FILES: readonly (readonly [path: string, text: string, executable?: true])[] = [
  ["beta/SKILL.md", skillText("beta")],
  ["alpha/SKILL.md", skillText("alpha")],
  ["alpha/scripts/run.sh", "#!/bin/sh\necho hello hello hello hello hello\n", true],
  ["alpha/references/Zebra.md", "z ".repeat(500)],
  ["alpha/references/ähnlich.md", "ä"],
  ["alpha/references/apple.md", "apple"],
  ["alpha/references/I.md", "dotted and dotless"],
  ["alpha/assets/noise.bin", Array.from({ length: 500 }, (_, i) => (i * 7919) % 251).join(",")],
  [`alpha/assets/${"long-".repeat(45)}name.txt`, "a name that needs more than a plain tar header"],
];

/** A machine as far as a pack could notice: where, when and in which order the files were made. */
interface Machine {
  readonly umask: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly reversed: boolean;
}

const MACHINES: readonly Machine[] = [
  { umask: 0o022, environment: { TZ: "UTC", LC_ALL: "C" }, seconds: 0, reversed: false },
  {
    umask: 0o077,
    environment: { TZ: "Pacific/Kiritimati", LC_ALL: "C.utf8" },
    seconds: 1e9,
    reversed: true,
  },
  {
    umask: 0o000,
    environment: { TZ: "America/St_Johns", LC_ALL: "tr_TR.UTF-8" },
    seconds: 2e9,
    reversed: false,
  },
  {
    umask: 0o027,
    environment: { TZ: "Asia/Kathmandu", LANG: "sv_SE.UTF-8" },
    seconds: 5e8,
    reversed: true,
  },
];

let bundle = "";

beforeAll(async () => {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const built = await rolldown({
    input: source("./index.ts"),
    platform: "node",
    logLevel: "silent",
    resolve: {
      alias: {
        "@skillwright/core/internal": source("../../../core/src/internal/index.ts"),
        "@skillwright/core": source("../../../core/src/index.ts"),
      },
    },
  });
  const { output } = await built.generate({ format: "esm", codeSplitting: false });
  await built.close();
  bundle = output[0].code;
});

function packOn(machine: Machine, format: PackFormat): Record<string, string> {
  const folder = temporaryFolder();
  for (const [path, text, executable] of machine.reversed ? FILES.toReversed() : FILES) {
    const file = join(folder, "skills", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, (executable === true ? 0o777 : 0o666) & ~machine.umask);
    utimesSync(file, machine.seconds, machine.seconds);
  }
  writeFileSync(join(folder, "pack.mjs"), bundle);
  const script = `
    process.umask(${machine.umask});
    const { packSkills } = await import(${JSON.stringify(join(folder, "pack.mjs"))});
    const result = await packSkills({ root: "skills", output: "out", format: ${JSON.stringify(format)}, olderIndex: true });
    if (!result.ok) throw new Error(result.message);
    process.stdout.write(JSON.stringify(result.files));`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...machine.environment },
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(child.stderr);
  const files = JSON.parse(child.stdout) as string[];
  return Object.fromEntries(
    files.map((file) => {
      const path = file.slice(file.indexOf("/out") + 1);
      return [path, createHash("sha256").update(readFileSync(file)).digest("hex")];
    }),
  );
}

describe("K-01 the same content gives the same bytes", () => {
  test.each(["zip", "tar.gz", "well-known"] as const)("K-01 as %s, on any machine", (format) => {
    const [first, ...others] = MACHINES.map((machine) => packOn(machine, format));
    expect(Object.keys(first!).length).toBeGreaterThan(format === "well-known" ? 10 : 0);
    for (const other of others) expect(other).toEqual(first);
  });

  test("K-01 stored, the bytes are known beforehand", async () => {
    const content = Buffer.from("hello\n");
    const entries = [{ path: "a.txt", content, executable: false }];
    const archive = await writeZip(entries, { compression: "store", ratio: 100 });
    expect(createHash("sha256").update(archive).digest("hex")).toBe(
      "c166f9bf9ba6a0067035e0a6a8a2b6531f640257860420cf184c646c9fe0de15",
    );
  });

  test("K-01 since the earliest time of zip exists in every time zone", () => {
    const before = process.env["TZ"];
    try {
      const zones = Intl.supportedValuesOf("timeZone");
      const odd = zones.filter((zone) => {
        process.env["TZ"] = zone;
        const time = new Date(1980, 0, 1);
        return time.getFullYear() !== 1980 || time.getDate() !== 1 || time.getHours() !== 0;
      });
      expect(zones.length).toBeGreaterThan(100);
      expect(odd).toEqual([]);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});

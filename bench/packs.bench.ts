import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { packSkills } from "../packages/packs/src/pack/pack-skills.ts";
import { resolveScope } from "../packages/packs/src/scopes/resolve-scope.ts";
import { verifyInstalled } from "../packages/packs/src/verify/verify-installed.ts";
import { makeSkills } from "./packs/skills.ts";
import { median, type Times } from "./parse/measure-rounds.ts";
import { checkRatio, showRatio } from "./scan/bars.ts";

const SKILLS = 500;
const INSTALL_ROUNDS = 7;
const VERIFY_ROUNDS = 15;
const BARS = { install: 6, verify: 0.8 };
const BENCH = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Installs a pack of 500 skills – unpack, manifest, lint, scan, lock, journal and syncs – in fresh
 * processes beside `unzip`, and verifies them in this one beside `sha256sum`.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "packs-bench-"));
  try {
    makeSkills(join(folder, "skills"), SKILLS);
    const pack = join(folder, "skills.zip");
    const packed = await packSkills({ root: join(folder, "skills"), output: pack, format: "zip" });
    if (!packed.ok) throw new Error(packed.message);
    const files = packed.skills.reduce((sum, skill) => sum + skill.files.length, 0);
    const load = (loadavg()[0] ?? 0).toFixed(1);
    console.log(`${SKILLS} skills, ${files} files, ${packed.bytes} bytes packed, load ${load}\n`);
    const isFast = await checkInstall(folder, pack);
    const isVerified = await checkVerify(folder);
    if (!isFast || !isVerified) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkInstall(folder: string, pack: string): Promise<boolean> {
  const worker = await bundleWorker();
  const times = { unzip: [] as number[], install: [] as number[], process: [] as number[] };
  for (let round = -1; round < INSTALL_ROUNDS; round++) {
    const target = join(folder, "unzipped");
    const unzip = timed(() => execFileSync("unzip", ["-q", pack, "-d", target]));
    rmSync(target, { recursive: true });
    const project = join(folder, "project");
    rmSync(project, { recursive: true, force: true });
    mkdirSync(join(project, ".agent"), { recursive: true });
    let stdout = "";
    const whole = timed(() => {
      stdout = runNode([worker, pack, project, join(folder, "home")]);
    });
    const { milliseconds } = JSON.parse(stdout) as { milliseconds: number };
    if (round < 0) continue;
    times.unzip.push(unzip);
    times.install.push(milliseconds);
    times.process.push(whole);
  }
  const unzip = timesOf("unzip -q", times.unzip);
  const install = timesOf("our install", times.install);
  const whole = timesOf("our install, whole process", times.process);
  for (const one of [unzip, install, whole]) show(one);
  showRatio("install, whole process / unzip", whole, unzip);
  return checkRatio("install / unzip", install, unzip, BARS.install);
}

async function checkVerify(folder: string): Promise<boolean> {
  const project = join(folder, "project");
  const scope = resolveScope({ cwd: project, home: join(folder, "home"), source: "project" });
  if (!scope.ok) throw new Error(scope.message);
  const list = join(folder, "files");
  const found = execFileSync(
    "find",
    [scope.root, "-name", ".skillwright", "-prune", "-o", "-type", "f", "-print0"],
    { encoding: "utf8", maxBuffer: 1 << 26 },
  );
  writeFileSync(list, found);
  const times = { sums: [] as number[], verify: [] as number[] };
  for (let round = -2; round < VERIFY_ROUNDS; round++) {
    const sums = timed(() =>
      execFileSync("xargs", ["-0", "-a", list, "sha256sum"], { maxBuffer: 1 << 26 }),
    );
    const started = performance.now();
    const verified = await verifyInstalled(scope);
    const own = performance.now() - started;
    const isGood = verified.ok && verified.skills.every(({ status }) => status === "ok");
    if (!isGood) throw new Error("the skills are not as they were installed");
    if (round < 0) continue;
    times.sums.push(sums);
    times.verify.push(own);
  }
  const sums = timesOf("sha256sum", times.sums);
  const verify = timesOf("our verify", times.verify);
  console.log("");
  for (const one of [sums, verify]) show(one);
  return checkRatio("verify / sha256sum", verify, sums, BARS.verify);
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function runNode(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function timesOf(name: string, rounds: readonly number[]): Times {
  return { name, rounds, median: median(rounds) };
}

function show({ name, median: middle }: Times): void {
  console.log(`${middle.toFixed(0).padStart(8)} ms   ${name}`);
}

async function bundleWorker(): Promise<string> {
  const bundle = await rolldown({
    input: { worker: join(BENCH, "packs/worker.ts") },
    platform: "node",
    resolve: {
      alias: {
        "@skillwright/core/internal": join(BENCH, "../packages/core/src/internal/index.ts"),
        "@skillwright/core": join(BENCH, "../packages/core/src/index.ts"),
      },
    },
    external: [/^@sigstore\//],
    logLevel: "silent",
  });
  const dir = join(dirname(fileURLToPath(import.meta.url)), "packs");
  await bundle.write({ dir, format: "esm", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  return join(dir, "worker.js");
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { probeBubblewrap } from "../../packages/runtime/src/execution/index.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bundleInterruptedHost, bundleKilledHost } from "./sandbox-kill-host.ts";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const KILLS = 240;
const AT_ONCE = 4;
const MAX_DELAY_US = 50_000;
const GONE_WITHIN_MS = 20_000;

/** Those of the sandbox name its folders: the shell that guards it, bubblewrap, its first process. */
function processesWith(marker: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });
}

it(
  "X-05 a process that is killed at any point of starting a sandbox leaves none of it behind",
  { timeout: 600_000 },
  async () => {
    expect(await probeBubblewrap()).toMatchObject({ ok: true });
    const host = await bundleKilledHost(PACKAGES);
    onTestFinished(() => rmSync(dirname(dirname(host)), { recursive: true, force: true }));
    const folder = temporaryFolder({
      "skill/SKILL.md": skillText("tool"),
      "skill/scripts/a.sh": 'sleep "$1"\n',
      "work/.keep": "",
    });
    mkdirSync(join(folder, "tmp"), { mode: 0o700 });
    const signals: (NodeJS.Signals | null)[] = [];
    let next = 0;
    const killSome = async () => {
      for (let kill = next++; kill < KILLS; kill = next++) {
        const delayUs = Math.round((kill / KILLS) * MAX_DELAY_US);
        const input = JSON.stringify({ folder, isProbed: kill % 4 > 0, delayUs, number: kill });
        const child = spawn(process.execPath, [host, input], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        const [, signal] = (await once(child, "exit")) as [unknown, NodeJS.Signals | null];
        signals.push(signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, killSome));
    expect(signals).toEqual(Array<NodeJS.Signals>(KILLS).fill("SIGKILL"));
    const end = performance.now() + GONE_WITHIN_MS;
    while (performance.now() < end && processesWith(folder).length > 0) await setTimeout(50);
    expect(processesWith(folder)).toEqual([]);
  },
);

/** As from a terminal: to every process of the group. */
async function interrupt(child: ChildProcess, delayMs: number): Promise<void> {
  await setTimeout(delayMs);
  try {
    process.kill(-(child.pid ?? 0), "SIGINT");
  } catch {
    // It has ended.
  }
}

it(
  "X-05 Ctrl-C while a sandbox is started does not end the script",
  { timeout: 60_000 },
  async () => {
    const host = await bundleInterruptedHost(PACKAGES);
    onTestFinished(() => rmSync(dirname(dirname(host)), { recursive: true, force: true }));
    const folder = temporaryFolder({
      "skill/SKILL.md": skillText("tool"),
      "skill/scripts/a.sh": 'sleep "$1"\n',
      "work/.keep": "",
    });
    mkdirSync(join(folder, "tmp"), { mode: 0o700 });
    const child = spawn(process.execPath, [host, folder], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const delayMs = (printed.split("\n").length % 20) / 2;
      void interrupt(child, delayMs);
    });
    await once(child, "close");
    expect(printed.trim().split("\n")).toEqual(["ready", ...Array<string>(100).fill("0")]);
  },
);

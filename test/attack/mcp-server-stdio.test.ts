import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { INITIALIZE } from "../conformance/mcp-server-world.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const REQUESTS = 400;
const MEBIBYTE = 1024 * 1024;

/** The most that a process had in memory, in bytes. */
function peakMemory(pid: number): number {
  const [, kilobytes = "0"] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

it.skipIf(!existsSync("/proc/self/status"))(
  "H-02 who asks and does not read fills no memory, and gets every answer when it does",
  async () => {
    const folder = temporaryFolder({
      "skills/pdf/SKILL.md": skillText("pdf"),
      "skills/pdf/data.txt": "x".repeat(2 * MEBIBYTE),
    });
    const child = spawn(process.execPath, [BIN, "mcp", "--root", join(folder, "skills")], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.on("error", () => undefined);
    const params = { uri: "skill://pdf/data.txt" };
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await once(child.stdout, "readable");
    for (let id = 2; id < REQUESTS + 2; id++) {
      const message = { jsonrpc: "2.0", id, method: "resources/read", params };
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    // The answers would be 800 MiB.
    const quiet = () => new Promise((resolve) => void setTimeout(resolve, 3000));
    await quiet();
    expect(peakMemory(child.pid ?? 0)).toBeLessThan(400 * MEBIBYTE);
    let lines = 0;
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      for (let at = part.indexOf(0x0a); at !== -1; at = part.indexOf(0x0a, at + 1)) lines++;
      if (lines > REQUESTS) break;
    }
    expect(lines).toBe(REQUESTS + 1);
  },
);

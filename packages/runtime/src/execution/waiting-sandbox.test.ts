import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  makeRunDirectory,
  removeRunDirectory,
  sandboxFiles,
  type SandboxShape,
  SandboxSlot,
  sharedDirectory,
  superviseChild,
} from "./index.ts";

/** A project with a secret, and the shape of a sandbox in it. */
function project() {
  const folder = temporaryFolder({ "work/.env": "SECRET" });
  const skill = makeRunDirectory();
  onTestFinished(() => removeRunDirectory(skill));
  writeFileSync(join(skill, "a.txt"), "skill");
  const { etc, filter, emptyFile } = sandboxFiles(sharedDirectory(skill));
  const cwd = join(folder, "work");
  const shape: SandboxShape = {
    plan: {
      etc,
      cwd,
      writable: [],
      readOnly: [],
      hidden: [{ path: join(cwd, ".env"), by: emptyFile }],
      binds: [],
      temporaryBytes: 1 << 20,
    },
    before: [],
    ...(filter === undefined ? {} : { filter }),
  };
  return { folder, cwd, shape, skill };
}

async function outputOf(slot: SandboxSlot, shape: SandboxShape, skill: string, script: string) {
  const waiting = slot.take(shape, skill);
  if (waiting === undefined) return undefined;
  const { sandbox, pipes } = waiting;
  waiting.begin(skill, ["/bin/sh", "-c", script], { GIVEN: "a=b\nc" });
  const kill = () => sandbox.kill();
  const limits = { timeoutMs: 10_000, outputBytes: 4096 };
  const end = await superviseChild(sandbox.child, { pipes, ...limits, terminate: kill, kill });
  removeRunDirectory(waiting.directory);
  return end.stdout.text;
}

it("X-05 what waits runs what it is given, with that environment, that skill and no input", async () => {
  const { shape, skill } = project();
  const slot = new SandboxSlot();
  await slot.prepare(shape);
  const script =
    'cat; echo "$GIVEN|$(cat /skill/a.txt)|$(cat .env)|$(tr "\\0" , < /proc/1/environ)"';
  expect(await outputOf(slot, shape, skill, script)).toBe("a=b\nc|skill||\n");
  expect(slot.take(shape, skill)).toBeUndefined();
});

it("X-05 what waits is not taken for another shape", async () => {
  const { shape, skill } = project();
  const slot = new SandboxSlot();
  await slot.prepare(shape);
  expect(slot.take({ ...shape, before: ["/usr/bin/env"] }, skill)).toBeUndefined();
  expect(slot.take({ ...shape, plan: { ...shape.plan, hidden: [] } }, skill)).toBeUndefined();
  expect(await outputOf(slot, shape, skill, "echo taken")).toBe("taken\n");
});

it("X-05 what waits is not taken for a skill that cannot be moved to it", async () => {
  const { shape, folder } = project();
  const slot = new SandboxSlot();
  await slot.prepare({ ...shape, temporaryDirectory: "/dev/shm" });
  expect(slot.take({ ...shape, temporaryDirectory: "/dev/shm" }, folder)).toBeUndefined();
});

it("X-05 a secret that was written anew, which nothing covers any more, makes another shape", async () => {
  const { cwd, shape, skill } = project();
  const slot = new SandboxSlot();
  await slot.prepare(shape);
  writeFileSync(join(cwd, "new"), "NEW SECRET");
  renameSync(join(cwd, "new"), join(cwd, ".env"));
  expect(slot.take(shape, skill)).toBeUndefined();
  await slot.prepare(shape);
  expect(slot.take(shape, skill)?.sandbox.kill()).toBeUndefined();
});

it("X-05 a folder in the place of the working directory makes another shape", async () => {
  const { cwd, shape, folder, skill } = project();
  const plain = { ...shape, plan: { ...shape.plan, hidden: [] } };
  const slot = new SandboxSlot();
  await slot.prepare(plain);
  renameSync(cwd, join(folder, "old"));
  mkdirSync(cwd);
  expect(slot.take(plain, skill)).toBeUndefined();
});

it("X-05 one that ended while it waited is not taken", async () => {
  const { shape, skill } = project();
  const slot = new SandboxSlot();
  const children: ChildProcess[] = [];
  const note = (message: unknown) =>
    void children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", note);
  onTestFinished(() => void unsubscribe("child_process", note));
  await slot.prepare({ ...shape, before: ["/bin/false"] });
  await expect.poll(() => children.map(({ exitCode }) => exitCode)).toEqual([1]);
  expect(slot.take({ ...shape, before: ["/bin/false"] }, skill)).toBeUndefined();
});

it("X-05 a working directory that is gone is a failure, not a crash", async () => {
  const { cwd, shape, skill } = project();
  const slot = new SandboxSlot();
  await slot.prepare(shape);
  rmSync(cwd, { recursive: true });
  expect(() => slot.take(shape, skill)).toThrow(/ENOENT/);
});

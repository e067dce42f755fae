import {
  appendFileSync,
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isSystem } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { applyChanges, HeldChanges, openView, refuseChanges } from "./index.ts";

const name = fc.constantFrom("a", "b", "c", "d e", "ü");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const step = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path, text: fc.constantFrom("", "x", "yy") }),
  fc.record({ do: fc.constant("append" as const), path, text: fc.constant("more") }),
  fc.record({ do: fc.constant("remove" as const), path }),
  fc.record({ do: fc.constant("folder" as const), path }),
  fc.record({ do: fc.constant("move" as const), path, to: path }),
  fc.record({ do: fc.constant("mode" as const), path, mode: fc.constantFrom(0o600, 0o755, 0o700) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a script could do; what cannot be done is left out. */
function carryOut(root: string, one: Step): void {
  const place = join(root, one.path);
  try {
    if (one.do === "write") writeFileSync(place, one.text);
    else if (one.do === "append") appendFileSync(place, one.text);
    else if (one.do === "remove") rmSync(place, { recursive: true });
    else if (one.do === "folder") mkdirSync(place, { recursive: true });
    else if (one.do === "mode")
      chmodSync(place, one.mode | (lstatSync(place).isDirectory() ? 0o700 : 0));
    else move(place, join(root, one.to));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
  }
}

/** As mv does where a folder cannot be renamed. */
function move(from: string, to: string): void {
  if (!lstatSync(from).isDirectory()) return renameSync(from, to);
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false });
  rmSync(from, { recursive: true });
}

function treeOf(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return names.toSorted().map((one) => {
    const stats = lstatSync(join(root, one));
    const text = stats.isFile() ? readFileSync(join(root, one), "utf8") : "";
    return `${one} ${(stats.mode & 0o777).toString(8)} ${text}`;
  });
}

it("X-11 applied changes make the real folder what the view was, and undoing them what it was before", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(steps, { minLength: 1, maxLength: 3 }),
      async (before, scripts) => {
        const folder = temporaryFolder({ "work/.keep": "", "run/.keep": "" });
        const [root, held] = [join(folder, "work"), new HeldChanges(join(folder, "held"))];
        rmSync(join(folder, "run"), { recursive: true });
        mkdirSync(join(folder, "run"));
        for (const one of before) carryOut(root, one);
        const original = treeOf(root);
        const view = await openView({ root, folder: join(folder, "run") });
        if (!view.ok) throw new Error(view.reason);
        try {
          for (const script of scripts) {
            for (const one of script) carryOut(view.merged.child("."), one);
            const collected = await view.collect(held.read());
            await held.save({ root, changes: refuseChanges(collected) }, view.merged);
          }
          const wanted = treeOf(view.merged.child("."));
          expect(treeOf(root)).toEqual(original);
          const { conflicts, undo } = await applyChanges(held.folder);
          expect(conflicts).toEqual([]);
          expect(treeOf(root)).toEqual(wanted);
          const undone = undo === undefined ? { conflicts } : await applyChanges(undo);
          expect(undone.conflicts).toEqual([]);
          expect(treeOf(root)).toEqual(original);
        } finally {
          await view.close();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: isSystem ? 1000 : 30 },
  );
});

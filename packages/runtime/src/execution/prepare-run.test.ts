import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { checkRequest, prepareRun, snapshotSkill } from "./index.ts";

it("X-02 a copy that was handed over runs only under the digest that was approved", async () => {
  const folder = temporaryFolder({
    "skill/SKILL.md": skillText("pdf"),
    "skill/scripts/join.py": "print(1)\n",
  });
  const skill = { name: "pdf", path: join(folder, "skill") };
  const snapshot = await snapshotSkill(skill, join(folder, "copy"));
  if (!snapshot.ok) throw new Error(snapshot.message);
  const prepare = async (digest: string) => {
    const request = {
      skill: { ...skill, digest, snapshot },
      script: "join.py",
      args: [],
      cwd: folder,
    };
    const checked = checkRequest(request);
    if (!checked.ok) throw new Error(checked.message);
    const directory = join(folder, "run");
    return prepareRun(request, checked, { directory, places: { home: "/h", temporary: "/t" } });
  };
  expect(await prepare(snapshot.digest)).toMatchObject({ ok: true });
  expect(await prepare("sha256:other")).toMatchObject({ ok: false, code: "digest-mismatch" });
});

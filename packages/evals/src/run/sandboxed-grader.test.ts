import { createBubblewrapExecutor } from "@skillwright/runtime/internal";
import { existsSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createSandboxedGrader } from "../index.ts";

const READS = `import json, sys, helper
said = json.load(sys.stdin)
print(json.dumps({"passed": helper.right(said["answer"]), "details": open("made.txt").read()}))
sys.exit(0 if helper.right(said["answer"]) else 1)
`;

function world(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder({ "work/made.txt": "made", ...files });
  const run = createSandboxedGrader(createBubblewrapExecutor());
  const grade = (file: string, answer = "yes") =>
    run({
      file: join(folder, file),
      args: [],
      stdin: JSON.stringify({ input: "", answer, steps: [] }),
      directory: join(folder, "work"),
      timeoutMs: 20_000,
    });
  return { folder, grade };
}

describe("graders in the sandbox", () => {
  it.each(["evals/check.py", "evals/graders/deep/check.py", "evals/scripts/check.py"])(
    "E-01 runs the file that the case names, with what lies beside it: %s",
    async (file) => {
      const helper = file.replace("check.py", "helper.py");
      const { folder, grade } = world({
        "temporary/kept.txt": "",
        [file]: READS,
        [helper]: 'def right(text): return text == "yes"\n',
      });
      vi.stubEnv("TMPDIR", join(folder, "temporary"));
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await grade(file)).toMatchObject({
        ok: true,
        exitCode: 0,
        stdout: expect.stringContaining('"details": "made"'),
      });
      expect(await grade(file, "no")).toMatchObject({ ok: true, exitCode: 1 });
      expect(readdirSync(join(folder, "temporary"))).toEqual(["kept.txt"]);
    },
  );

  it("E-01 one that crashes is told from one that says no", async () => {
    const { grade } = world({ "evals/check.py": "raise ValueError('oh')\n" });
    expect(await grade("evals/check.py")).toMatchObject({
      ok: true,
      stderr: expect.stringContaining("Traceback (most recent call last):"),
    });
  });

  it("X-06 it writes nowhere outside, and sees no secrets and no links", async () => {
    vi.stubEnv("GRADER_API_KEY", "sk-ant-api03-nobody-sees-me");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { folder, grade } = world({
      "secret.txt": "hidden",
      "evals/check.py": `import os
def attempt(path):
    try:
        open(path, "w").write("x")
    except OSError:
        pass
attempt("../outside.txt")
attempt("made.txt")
attempt("fresh.txt")
print(dict(os.environ), os.path.exists(os.path.join(os.path.dirname(__file__), "link.txt")))
`,
    });
    symlinkSync(join(folder, "secret.txt"), join(folder, "evals/link.txt"));
    const run = await grade("evals/check.py");
    if (!run.ok) throw new Error(run.message);
    expect(run.stdout).toContain("False");
    expect(run.stdout).not.toContain("nobody-sees-me");
    expect(existsSync(join(folder, "outside.txt"))).toBe(false);
    expect(readdirSync(join(folder, "work"))).toEqual(["made.txt"]);
  });

  it("E-01 what is missing, a link, a folder or too large is said", async () => {
    const { folder, grade } = world({ "evals/real.py": "", "evals/large.bin": "" });
    symlinkSync(join(folder, "evals/real.py"), join(folder, "evals/link.py"));
    mkdirSync(join(folder, "evals/folder.py"));
    for (const name of ["none.py", "link.py", "folder.py"]) {
      expect(await grade(`evals/${name}`)).toMatchObject({ ok: false, code: "grader-missing" });
    }
    truncateSync(join(folder, "evals/large.bin"), 2 ** 30);
    expect(await grade("evals/real.py")).toMatchObject({ ok: false, code: "grader-too-large" });
  });
});

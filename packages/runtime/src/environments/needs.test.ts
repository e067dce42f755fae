import { describe, expect, it } from "vitest";
import { environmentNeed, type EnvironmentNeed } from "./index.ts";

const SCRIPT = "scripts/fill.py";
const block = (text: string) =>
  `#!/usr/bin/env python3\n# /// script\n${text
    .split("\n")
    .map((line) => `# ${line}`)
    .join("\n")}\n# ///\nprint(1)\n`;

function needOf(files: Readonly<Record<string, string>>, script = SCRIPT) {
  return environmentNeed(script, (path) => (Object.hasOwn(files, path) ? files[path] : undefined));
}

describe("environmentNeed", () => {
  it("X-12 reads the block of the script before requirements.txt and pyproject.toml", async () => {
    const own = block('dependencies = ["pypdf>=4", "rich"]\nrequires-python = ">=3.10"');
    const files = {
      [SCRIPT]: own,
      "scripts/requirements.txt": "near\n",
      "requirements.txt": "far\n",
      "pyproject.toml": '[project]\ndependencies = ["farthest"]\n',
    };
    const need = await needOf(files);
    expect(need).toMatchObject({
      kind: "python",
      declaredIn: SCRIPT,
      requirements: ["pypdf>=4", "rich"],
      requiresPython: ">=3.10",
    });
    const plain = { ...files, [SCRIPT]: "print(1)\n" };
    expect(await needOf(plain)).toMatchObject({ declaredIn: "scripts/requirements.txt" });
    const { "scripts/requirements.txt": _, ...atRoot } = plain;
    expect(await needOf(atRoot)).toMatchObject({ declaredIn: "requirements.txt" });
    const { "requirements.txt": __, ...project } = atRoot;
    expect(await needOf(project)).toMatchObject({
      declaredIn: "pyproject.toml",
      requirements: ["farthest"],
    });
  });

  it("X-12 gives equal declarations the same id and others another one", async () => {
    const a = await needOf({ "requirements.txt": "six==1.16.0\n\n# comment\n" });
    const b = await needOf(
      { "scripts/requirements.txt": "six==1.16.0 # pinned\r\n" },
      "scripts/x.py",
    );
    const c = await needOf({ "requirements.txt": "six==1.17.0\n" });
    expect((a as EnvironmentNeed).id).toBe((b as EnvironmentNeed).id);
    expect((a as EnvironmentNeed).id).not.toBe((c as EnvironmentNeed).id);
  });

  it("X-12 joins continued lines, follows -r inside the skill and keeps hashes and markers", async () => {
    const hash = `--hash=sha256:${"0".repeat(64)}`;
    const need = await needOf({
      "requirements.txt": `-r more/base.txt\nsix==1.0 \\\n    ${hash}\ntomli>=1; python_version < "3.11"\nsquare[extra,more] >= 2, < 3\n`,
      "more/base.txt": "-r ../requirements.txt\nfirst\n",
    });
    expect(need).toMatchObject({
      requirements: [
        "first",
        `six==1.0 ${hash}`,
        'tomli>=1; python_version < "3.11"',
        "square[extra,more] >= 2, < 3",
      ],
    });
  });

  it.each([
    "--index-url https://evil.example/simple",
    "-e .",
    "./local.whl",
    "evil @ https://evil.example/evil.whl",
    "git+https://evil.example/evil.git",
    "six==1.0 --global-option=x",
    'six; python_version > "3" --index-url https://evil.example',
    "six==1.0 --hash=md5:0",
  ])("X-12 refuses %s, which would choose where code comes from", async (line) => {
    expect(await needOf({ "requirements.txt": `${line}\n` })).toMatchObject({
      ok: false,
      code: "declaration-refused",
    });
    const inScript = block(`dependencies = [${JSON.stringify(line)}]`);
    expect(await needOf({ [SCRIPT]: inScript })).toMatchObject({ code: "declaration-refused" });
  });

  it("X-12 says which declaration cannot be read", async () => {
    const noToml = await needOf({ [SCRIPT]: block("dependencies = [") });
    expect(noToml).toMatchObject({
      code: "declaration-invalid",
      message: expect.stringContaining(SCRIPT),
    });
    const gone = await needOf({ "requirements.txt": "-r gone.txt" });
    expect(gone).toMatchObject({ message: "gone.txt is included and is not in the skill." });
    const outside = await needOf({ "requirements.txt": "-r ../../gone.txt" });
    expect(outside).toMatchObject({ code: "declaration-invalid" });
  });

  it("X-12 needs a lockfile for package.json, and nothing for one without dependencies", async () => {
    const manifest = JSON.stringify({ dependencies: { tint: "^2" } });
    expect(await needOf({ "package.json": manifest }, "scripts/a.mjs")).toMatchObject({
      code: "declaration-invalid",
      hint: expect.stringContaining("npm install --package-lock-only"),
    });
    const files = { "package.json": manifest, "package-lock.json": "{}" };
    expect(await needOf(files, "scripts/a.ts")).toMatchObject({
      kind: "node",
      declaredIn: "package-lock.json",
    });
    expect(await needOf(files, "scripts/a.py")).toBeUndefined();
    expect(await needOf({ "package.json": "{}" }, "scripts/a.mjs")).toBeUndefined();
    expect(await needOf(files, "scripts/a.sh")).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { missingModule } from "./index.ts";

const python = (name: string) =>
  `Traceback (most recent call last):\nModuleNotFoundError: No module named '${name}'\n`;

it("X-03 names a missing Python module and the package that has it", () => {
  expect(missingModule("python3", python("yaml"), false)).toMatchObject({
    code: "module-missing",
    message: expect.stringContaining('"yaml"'),
    hint: expect.stringContaining("pip install PyYAML"),
  });
  expect(missingModule("python3", python("a.b"), true)?.hint).toContain('"pip install a"');
  expect(missingModule("python3", python("toString"), true)?.hint).toContain(
    "pip install toString",
  );
});

it("X-03 does not recommend to install what belongs to the skill", () => {
  const files = new Set(["SKILL.md", "scripts/run.py", "tool.py"]);
  for (const name of ["scripts.utils", "tool"]) {
    const failure = missingModule("python3", python(name), false, files);
    expect(failure?.message).toContain(`"${name}" from its skill's own package`);
    expect(failure?.hint).not.toContain("pip");
  }
  expect(missingModule("python3", python("yaml"), false, files)?.hint).toContain("pip install");
});

it("X-03 names a missing package of Node", () => {
  const error =
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /skill/a.mjs";
  expect(missingModule("node", error, false)?.message).toContain('"zod"');
  expect(missingModule("node", "Cannot find module './x.js'", false)).toBeUndefined();
});

it("X-03 keeps quiet about other errors", () => {
  expect(missingModule("python3", "ValueError: no", false)).toBeUndefined();
  expect(missingModule("bash", python("yaml"), false)).toBeUndefined();
});

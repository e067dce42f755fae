import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { nodeBinary, packedProject, type PackedProject } from "../support/packed-project.ts";

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PUBLIC_API = fileURLToPath(new URL("../types/public-api.ts", import.meta.url));
const LIBRARIES = ["core", "runtime", "agent", "packs", "evals", "mcp", "app"].map(
  (name) => `@skillwright/${name}`,
);
const SKILLS = [
  "format-check",
  "report-writer",
  "skill-creator",
  "tabular-data",
  "text-compare",
  "unit-convert",
];

let packed: PackedProject;
beforeAll(async () => {
  packed = await packedProject();
}, 300_000);
afterAll(() => packed?.remove(), 60_000);

const project = () => join(packed.folder, "project");
const cli = () => join(packed.folder, "cli");

/** Runs a program in the project, with nothing of our own environment but the path. */
function run(command: string, args: readonly string[], cwd = project()) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: join(packed.folder, "home") },
  });
  return { status, stdout, stderr };
}

/** A test that cannot be made here says so where everybody sees it. */
function skipLoudly(context: TestContext, reason: string): never {
  console.warn(`NOT TESTED: ${context.task.name}: ${reason}`);
  return context.skip(reason);
}

function requireInstalled(context: TestContext): void {
  if (packed.unreachable !== undefined) skipLoudly(context, packed.unreachable);
}

describe("N-03 the tarballs", () => {
  it("N-03 hold what their package needs, and nothing else", () => {
    expect(packed.packages.map(({ name }) => name).toSorted()).toEqual(
      [...LIBRARIES, "skillwright"].toSorted(),
    );
    const allowed =
      /^(?:LICENSE|README\.md|package\.json|dist\/(?:.+\.(?:js|js\.map|d\.ts)|THIRD-PARTY-LICENSES\.txt))$/;
    const allowedOfCli =
      /^(?:LICENSE|README\.md|package\.json|bin\/[\w-]+\.cjs|dist\/[\w-]+\.cjs|dist\/THIRD-PARTY-LICENSES\.txt|skills\/.+)$/;
    for (const { name, paths } of packed.packages) {
      const pattern = name === "skillwright" ? allowedOfCli : allowed;
      expect([name, paths.filter((path) => !pattern.test(path))]).toEqual([name, []]);
      expect([name, paths.filter((path) => /\.test\.|\.ts\.map$|tsbuildinfo/.test(path))]).toEqual([
        name,
        [],
      ]);
      expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    }
  });

  it("N-03 have every skill that comes along, as it is here", () => {
    const cli = packed.packages.find(({ name }) => name === "skillwright")!;
    const here = readdirSync(join(ROOT, "skills"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
    expect(here.length).toBeGreaterThan(50);
    expect(cli.paths.filter((path) => path.startsWith("skills/")).toSorted()).toEqual(
      here.toSorted(),
    );
  });

  it("C-01 N-03 the command line is complete without any other package", () => {
    const folder = join(cli(), "node_modules");
    expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual(["skillwright"]);
    const manifest = readFileSync(join(folder, "skillwright/package.json"), "utf8");
    const { version, peerDependencies, ...rest } = JSON.parse(manifest) as {
      version: string;
      peerDependencies: object;
    };
    expect(Object.keys(rest).filter((key) => /dependencies$|^scripts$/i.test(key))).toEqual([]);
    const known = new Set([...builtinModules, ...Object.keys(peerDependencies)]);
    const unknown = requiredBy(join(folder, "skillwright/dist")).filter((id) => !known.has(id));
    // Not loaded, but written: what our compiler of scripts puts into programs for Flow and React, and
    // the validator of schemas into code that is kept in files, which ours is not.
    const written = unknown.filter((id) => !/^ajv(?:-formats)?\/dist\//.test(id));
    expect(new Set(written)).toEqual(new Set(["flow-enums-runtime", "react-hot-loader"]));
    const { status, stdout } = run("npx", ["skillwright", "--version"], cli());
    expect([status, stdout]).toEqual([0, `${version}\n`]);
  });

  it("N-03 leave nothing behind where they were packed", () => {
    expect(readdirSync(join(ROOT, "packages/cli"))).not.toEqual(expect.arrayContaining(["skills"]));
    const manifest = readFileSync(join(ROOT, "packages/cli/package.json"), "utf8");
    expect(Object.keys(JSON.parse(manifest) as object)).toContain("dependencies");
  });

  it("N-03 have the files that their exports name, and whole source maps or none", () => {
    for (const { contents: folder, paths } of packed.packages) {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      const { exports } = JSON.parse(text) as { exports: object };
      const targets = JSON.stringify(exports).match(/(?<="\.\/)[^"]+\.\w+(?="[,}])/g) ?? [];
      expect(paths).toEqual(expect.arrayContaining(targets));
      for (const path of paths.filter((one) => /\.(?:cjs|d\.ts)$/.test(one))) {
        expect(readFileSync(join(folder, path), "utf8")).not.toMatch(/^\/\/# sourceMappingURL/m);
      }
      const scripts = paths.filter((one) => one.endsWith(".js"));
      for (const path of scripts.filter((one) => !isWithoutSource(join(folder, one)))) {
        const text = readFileSync(join(folder, path), "utf8");
        expect(text).toContain(`//# sourceMappingURL=${basename(path)}.map`);
        const map = JSON.parse(readFileSync(join(folder, `${path}.map`), "utf8")) as SourceMap;
        // The sources are not published: their text is in the map.
        const known = map.sourcesContent.filter((content) => typeof content === "string");
        expect([path, known.length]).toEqual([path, map.sources.length]);
      }
    }
  });

  it("H-01 publish no type `any`", () => {
    for (const { name, contents, paths } of packed.packages) {
      for (const path of paths.filter((one) => one.endsWith(".d.ts"))) {
        const text = readFileSync(join(contents, path), "utf8");
        const found = withoutCommentsAndStrings(text).match(/.*\bany\b.*/g);
        expect([name, path, found]).toEqual([name, path, null]);
      }
    }
  });

  it("H-01 are clean for publint and are-the-types-wrong", { timeout: 240_000 }, async () => {
    const { typeProblems } = (await import(join(ROOT, "scripts/type-problems.mjs"))) as {
      typeProblems: (file: string) => Promise<unknown[]>;
    };
    for (const { name, file, contents } of packed.packages) {
      expect([name, await typeProblems(file)]).toEqual([name, []]);
      const { messages } = await publint({ pkgDir: contents, strict: true, pack: false });
      expect([name, messages]).toEqual([name, []]);
    }
  });
});

describe("H-01 a program that imports the packages", () => {
  it.for(["nodenext", "bundler"])("H-01 has their types, with %s", (resolution, context) => {
    requireInstalled(context);
    cpSync(PUBLIC_API, join(project(), "public-api.ts"));
    const libraries = LIBRARIES.map((name) => `import ${JSON.stringify(name)};`);
    writeFileSync(join(project(), "all.ts"), `${libraries.join("\n")}\nexport {};\n`);
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const module = resolution === "bundler" ? "esnext" : "nodenext";
    const options = { module, moduleResolution: resolution, target: "es2023", lib: "es2023" };
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    // Our declarations are checked, too: their errors would be those of everybody who imports them.
    const strict = ["--strict", "--noEmit", "--skipLibCheck", "false", "--types", "node"];
    const files = ["public-api.ts", "all.ts"];
    const { status, stdout } = run(process.execPath, [tsc, ...flags, ...strict, ...files]);
    expect([status, stdout]).toEqual([0, ""]);
  });
});

describe.each([20, 22, 24])("N-03 installed from tarballs, on Node %d", (major) => {
  const options = { timeout: 240_000 };
  /** The first time it is fetched. */
  const requireNode = (context: TestContext): string => {
    const found = nodeBinary(major);
    return "missing" in found ? skipLoudly(context, found.missing) : found.path;
  };

  it("N-03 H-01 the libraries are imported, and required, and work", options, (context) => {
    requireInstalled(context);
    const node = requireNode(context);
    writeFileSync(join(project(), "program.mjs"), PROGRAM);
    const names = JSON.stringify(LIBRARIES);
    writeFileSync(
      join(project(), "program.cjs"),
      `for (const name of ${names}) if (typeof require(name) !== "object") throw new Error(name);`,
    );
    const imported = run(node, ["program.mjs"]);
    expect([imported.status, imported.stderr]).toEqual([0, ""]);
    expect(JSON.parse(imported.stdout)).toEqual({
      major,
      skills: SKILLS,
      status: "answered",
      used: ["unit-convert"],
    });
    const required = run(node, ["--disable-warning=ExperimentalWarning", "program.cjs"]);
    expect(required).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("C-01 N-03 the command line lists its skills and runs one", options, (context) => {
    const node = requireNode(context);
    const bin = join(cli(), "node_modules/.bin/skillwright");
    const work = join(cli(), "work");
    mkdirSync(work, { recursive: true });
    const skillwright = (...args: string[]) => run(node, [bin, ...args], work);
    const { stdout } = skillwright("list", "--json");
    const { skills } = JSON.parse(stdout) as {
      skills: { name: string; source: string; path: string }[];
    };
    expect(skills.map(({ name, source }) => `${name} ${source}`)).toEqual(
      SKILLS.map((name) => `${name} builtin`),
    );
    expect(skills[0]?.path).toContain(join("node_modules", "skillwright", "skills"));
    const request = ["run", "Convert 5 km to miles", "--yes=run_script", "--model", "offline"];
    const answer = skillwright(...request, "--sandbox", "bubblewrap");
    expect([answer.status, answer.stdout]).toEqual([
      0,
      expect.stringContaining("5 kilometres = 3.10685596119 mi (rounded)"),
    ]);
  });
});

/** Uses the libraries as the documentation does. */
const PROGRAM = `
import { createOfflineModel, runAgent } from "@skillwright/agent";
import { openSkills } from "@skillwright/core";
import { configurationSchemaText } from "@skillwright/core/config-schema";
import "@skillwright/evals";
import "@skillwright/mcp";
import { scanSkill } from "@skillwright/packs";
import { decide } from "@skillwright/runtime/internal";

const skills = await openSkills({ roots: ["node_modules/skillwright/skills"] });
for (const value of [configurationSchemaText(), decide, scanSkill]) {
  if (value === undefined) throw new Error("an export is missing");
}
const { status, skills: used } = await runAgent({
  request: "Convert 5 km to miles",
  skills,
  model: createOfflineModel(),
});
const major = Number(process.versions.node.split(".")[0]);
console.log(JSON.stringify({ major, skills: skills.all.map(({ name }) => name), status, used }));
`;

/** Entries only pass on what is in chunks, and the bundler has a few lines of its own. */
function isWithoutSource(file: string): boolean {
  const onlyPassesOn = /^(?:import\{[^}]*\}from"[^"]+";)+export\{[^}]*\};\s*$/;
  return /\/rolldown-runtime-/.test(file) || onlyPassesOn.test(readFileSync(file, "utf8"));
}

function withoutCommentsAndStrings(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
}

/** The packages that built files load, as they are written there. */
function requiredBy(folder: string): string[] {
  const call = /\b(?:require|import)\([`"']([\w@/:.-]+)[`"']\)/g;
  const ids = readdirSync(folder).flatMap((file) =>
    Array.from(readFileSync(join(folder, file), "utf8").matchAll(call), ([, id = ""]) => id),
  );
  return ids.filter((id) => !id.startsWith("./")).map((id) => id.replace(/^node:/, ""));
}

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const LISTED = /export (type )?\{([^}]*)\} from "[^"]+";/g;

/** The entries of a package: the file that each is built from. */
function entriesOf(folder: string): [string, string][] {
  const { name, exports } = JSON.parse(
    readFileSync(`${PACKAGES}/${folder}/package.json`, "utf8"),
  ) as { name: string; exports: Record<string, string | { default: string }> };
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [[name + path.slice(1), sourceOf(`${PACKAGES}/${folder}/${target.default}`)]],
  );
}

function sourceOf(built: string): string {
  return built.replace("/./dist/", "/src/").replace(/\.js$/, ".ts");
}

/** Names with `type` before those that are types only, as the source lists them. */
function listed(text: string): string[] {
  return [...text.matchAll(LISTED)].flatMap(([, isType, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^(type )?(?:\w+) as /, "$1"))
      .filter((name) => name !== "")
      .map((name) => (isType === undefined ? name : `type ${name}`)),
  );
}

function kindOf(value: unknown): string {
  if (typeof value !== "function") return "value";
  return value.toString().startsWith("class") ? "class" : "function";
}

const entries = readdirSync(PACKAGES).flatMap(entriesOf);

describe("H-01 the public API of each package", () => {
  // A change here is a change for everybody who imports it: see it, then `vitest -u`.
  it.each(entries)("H-01 %s exports what is listed", async (name, file) => {
    const text = readFileSync(file, "utf8");
    const values = Object.entries((await import(file)) as Record<string, unknown>);
    const types = file.endsWith("/index.ts")
      ? listed(text).filter((one) => one.startsWith("type "))
      : [];
    const lines = [...values.map(([key, value]) => `${kindOf(value)} ${key}`), ...types];
    await expect(`${lines.toSorted().join("\n")}\n`).toMatchFileSnapshot(
      `golden/exports/${name.slice(1).replaceAll("/", "-")}.txt`,
    );
  });

  it.each(entries.filter(([, file]) => file.endsWith("/index.ts")))(
    "H-01 %s has an entry that is a list of names and nothing else",
    async (_, file) => {
      const text = readFileSync(file, "utf8");
      expect(
        text
          .replaceAll(LISTED, "")
          .replace(/^export \{\};$/m, "")
          .trim(),
      ).toBe("");
      const names = listed(text);
      expect(new Set(names.map((name) => name.replace("type ", ""))).size).toBe(names.length);
      const values = names.filter((name) => !name.startsWith("type "));
      expect(Object.keys((await import(file)) as object).toSorted()).toEqual(values.toSorted());
    },
  );
});

it("H-01 no name is exported by two packages", () => {
  const owners = new Map<string, string>();
  const twice: string[] = [];
  const isPublic = ([name]: readonly [string, string]) => !name.includes("/internal");
  for (const [entry, file] of entries.filter(isPublic)) {
    const [, owner = ""] = entry.split("/");
    for (const name of listed(readFileSync(file, "utf8"))) {
      const plain = name.replace("type ", "");
      const other = owners.get(plain);
      if (other !== undefined && other !== owner) twice.push(`${plain}: ${other}, ${owner}`);
      owners.set(plain, owner);
    }
  }
  expect(twice).toEqual([]);
});

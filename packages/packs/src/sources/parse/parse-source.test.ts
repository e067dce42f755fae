import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { PackOrigin } from "../../index.ts";
import { latestSourceOf, type ParsedSource, parseSource, type Place, sourceOf } from "../index.ts";

const PLACES: Readonly<Record<string, Place>> = {
  "/work": "folder",
  "/work/x": "folder",
  "/work/a/b": "folder",
  "/home/me/skills": "folder",
  "/work/pack.zip": "file",
  "/work/x/SKILL.md": "file",
  "/work/bare.git": "repository",
};
const options = {
  cwd: "/work",
  home: "/home/me",
  look: (path: string): Place => PLACES[path] ?? "nothing",
};

function parsed(text: string): Partial<ParsedSource> {
  const { notes: _, ok: __, ...rest } = parseSource(text, options) as ParsedSource;
  return rest;
}

describe("what a person types", () => {
  it.each<[string, object]>([
    [".", { kind: "local", source: ".", path: "/work" }],
    ["./x", { kind: "local", source: "./x", path: "/work/x" }],
    ["./x/", { kind: "local", source: "./x", path: "/work/x" }],
    ["x", { kind: "local", source: "./x", path: "/work/x" }],
    ["/work/x", { kind: "local", source: "/work/x", path: "/work/x" }],
    ["~/skills", { kind: "local", source: "~/skills", path: "/home/me/skills" }],
    ["x/SKILL.md", { kind: "local", source: "./x", path: "/work/x" }],
    ["a/b", { kind: "local", source: "./a/b", path: "/work/a/b" }],
    ["pack.zip", { kind: "archive", source: "./pack.zip", file: "/work/pack.zip" }],
  ])("K-02 %s is here", (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each<[string, object]>([
    ["acme/skills", {}],
    ["github:acme/skills", {}],
    ["acme/skills.git", {}],
    ["acme/skills/tools/pdf", { path: "tools/pdf" }],
    ["acme/skills#v1.2", { ref: "v1.2" }],
    ["acme/skills@pdf", { skill: "pdf" }],
    ["acme/skills/tools@pdf", { path: "tools", skill: "pdf" }],
    [
      "acme/skills/tools#feature/x@pdf-tools",
      { path: "tools", ref: "feature/x", skill: "pdf-tools" },
    ],
    ["acme/skills#@acme/pdf@1.2.0", { ref: "@acme/pdf@1.2.0" }],
    ["acme/skills#a%40b", { ref: "a@b" }],
    ["acme/skills#HEAD", {}],
    ["https://github.com/acme/skills", {}],
    ["https://github.com/acme/skills.git#main", { ref: "main" }],
    ["https://github.com/acme/skills/tree/main", { ref: "main" }],
    ["https://github.com/acme/skills/tree/main/tools/pdf", { tree: "main/tools/pdf" }],
    ["https://github.com/acme/skills/blob/main/tools/pdf/SKILL.md", { tree: "main/tools/pdf" }],
  ])("K-02 %s is on GitHub", (text, expected) => {
    const url = "https://github.com/acme/skills.git";
    const base = { kind: "git", source: "acme/skills", url, transport: "https" };
    expect(parsed(text)).toEqual({ ...base, ...expected });
  });

  it.each<[string, object]>([
    ["https://git.test/a/b.git", { source: "https://git.test/a/b.git" }],
    [
      "git+https://git.test/a/b",
      { source: "git+https://git.test/a/b", url: "https://git.test/a/b" },
    ],
    ["https://git.test/a/b.git//c/d#v1@pdf", { path: "c/d", ref: "v1", skill: "pdf" }],
    ["https://git.test/a/b.git@pdf", { skill: "pdf" }],
    ["https://me@git.test/a/b.git//c@pdf", { path: "c", skill: "pdf" }],
    ["git@git.test:a/b.git@pdf", { skill: "pdf" }],
    ["git@git.test:a/b.git", {}],
    [
      "https://u:p@git.test/a/b.git",
      { source: "https://git.test/a/b.git", url: "https://u:p@git.test/a/b.git" },
    ],
    [
      "https://git.test/a/b.git?token=abc",
      { source: "https://git.test/a/b.git", url: "https://git.test/a/b.git?token=abc" },
    ],
    ["git+https://git.test/a?token=abc&v=1", { source: "git+https://git.test/a?v=1" }],
    ["ssh://git@git.test:22/a/b", { source: "ssh://git@git.test:22/a/b", transport: "ssh" }],
    ["ssh://git:pw@git.test/a/b", { source: "ssh://git@git.test/a/b" }],
    ["git@git.test:a/b.git", { source: "git@git.test:a/b.git", transport: "ssh" }],
    ["git@git.test:a/b//c#main", { source: "git@git.test:a/b", path: "c", ref: "main" }],
    ["git://git.test/a/b", { transport: "git" }],
    ["file:///srv/a.git", { url: "file:///srv/a.git", transport: "file" }],
    ["./bare.git", { source: "./bare.git", url: "file:///work/bare.git" }],
    ["bare.git//tools#v1", { source: "./bare.git", path: "tools", ref: "v1" }],
    ["https://gitlab.com/a/b/c", { url: "https://gitlab.com/a/b/c.git" }],
    ["https://git.test/a/b/-/tree/main/x", { url: "https://git.test/a/b.git", tree: "main/x" }],
  ])("K-02 %s is a repository", (text, expected) => {
    expect(parsed(text)).toMatchObject({ kind: "git", ...expected });
  });

  it.each<[string, object]>([
    ["npm:pdf", { kind: "npm", source: "pdf" }],
    ["npm:pdf@^1.2 || 2.x", { kind: "npm", source: "pdf", ref: "^1.2 || 2.x" }],
    [
      "npm:@acme/pdf@next#@forms",
      { kind: "npm", source: "@acme/pdf", ref: "next", skill: "forms" },
    ],
    ["https://a.test/x.zip", { kind: "url", source: "https://a.test/x.zip" }],
    ["https://a.test/x/SKILL.md", { kind: "url" }],
    ["https://github.com/a/b/archive/main.tar.gz", { kind: "url" }],
    ["url:https://a.test/get?id=5", { kind: "url", source: "https://a.test/get?id=5" }],
    ["https://a.test", { kind: "well-known", source: "https://a.test/" }],
    [
      "https://a.test/docs#@pdf",
      { kind: "well-known", source: "https://a.test/docs", skill: "pdf" },
    ],
    ["http://127.0.0.1:8080/", { kind: "well-known" }],
    ["https://u:p@a.test/x.zip?token=abc&v=1", { source: "https://a.test/x.zip?v=1" }],
  ])("K-02 %s is elsewhere", (text, expected) => {
    expect(parsed(text)).toMatchObject(expected);
  });

  it("K-02 a folder that could be a repository is named", () => {
    expect(parseSource("a/b", options)).toMatchObject({
      kind: "local",
      notes: [expect.stringContaining("github:a/b")],
    });
  });
});

describe("what is refused", () => {
  it.each([
    ["", "source-invalid"],
    ["--upload-pack=touch /tmp/x", "source-invalid"],
    ["-oProxyCommand=x", "source-invalid"],
    ["ext::sh -c touch% /tmp/x", "source-invalid"],
    ["git+ext://x/y", "source-invalid"],
    ["ext://x/y", "source-invalid"],
    ["fd::17/foo", "source-invalid"],
    ["ssh://-oProxyCommand=x/a/b", "source-invalid"],
    ["ssh://-u@host/a", "source-invalid"],
    ["-u@host:a/b", "source-invalid"],
    ["git@-host:a/b", "source-invalid"],
    ["git@host:-a/b", "source-invalid"],
    ["git@host::a", "source-invalid"],
    ["acme/skills#-x", "source-invalid"],
    ["acme/skills#a..b", "source-invalid"],
    ["acme/skills#a b", "source-invalid"],
    ["acme/skills#a%0ab", "source-invalid"],
    ["acme/skills#main:evil", "source-invalid"],
    ["acme/skills/../x", "source-invalid"],
    ["acme/skills/%2e%2e/x", "source-invalid"],
    ["acme/skills/a\\b", "source-invalid"],
    ["https://git.test/a.git//../x", "source-invalid"],
    ["http://a.test/x.zip", "source-invalid"],
    ["http://a.test/x.git", "source-invalid"],
    ["http://127.0.0.1.evil.test/x.zip", "source-invalid"],
    ["ftp://a.test/x.zip", "source-invalid"],
    ["data:application/zip;base64,AAAA", "source-invalid"],
    ["file://host/a.git", "source-invalid"],
    ["npm:../x", "source-invalid"],
    ["npm:a@file:../x", "source-invalid"],
    ["npm:a@npm:b@1", "source-invalid"],
    ["npm:a@https://x.test/a.tgz", "source-invalid"],
    ["npm:--x", "source-invalid"],
    ["npm:a@--x", "source-invalid"],
    ["npm:x.tgz", "source-invalid"],
    ["a\nb/c", "source-invalid"],
    ["https://a.test/x.zip#v1", "source-invalid"],
    ["https://a.test/x##", "source-invalid"],
    ["https://github.com/a/b#v1#v2", "source-invalid"],
    ["https://git.test/a/b.git##", "source-invalid"],
    ["git@git.test:a/b#v1#v2", "source-invalid"],
    ["./nothing", "source-missing"],
    ["nothing", "source-missing"],
    ["a/nothing.zip", "source-missing"],
  ])("K-05 %j is %s", (text, code) => {
    expect(parseSource(text, options)).toMatchObject({ ok: false, code });
  });

  it("K-05 messages hold no password", () => {
    for (const text of [
      "ftp://u:s3cret@a.test/x",
      "http://u:s3cret@a.test/x.zip",
      "https://u:s3cret@a.test/a.git//..",
    ]) {
      expect(JSON.stringify(parseSource(text, options))).not.toContain("s3cret");
    }
  });
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    ..."./ ../ ~/ / // # @ % %2e %00 : :: git+ https:// ssh:// file:// npm: url: github: owner repo .git -".split(
      " ",
    ),
    "tree/main",
    "\\",
    " ",
    "\n",
    "[::1]",
    "x.zip",
    "SKILL.md",
    "?token=a",
    "u:p@",
    "\ud800",
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")),
  );

  it("K-05 is understood or refused, never thrown at", () => {
    const cwd = temporaryFolder();
    fc.assert(
      fc.property(texts, (text) => {
        const result = parseSource(text, { cwd });
        // Behind the host it is a part of the path.
        expect(result.ok ? result.source : result.code).not.toMatch(/^-|^[^/]*:\/\/[^/]*u:p@/);
      }),
      { numRuns: numRuns(2000), examples: [["https://./file://u:p@"]] },
    );
  });

  it("K-02 that is understood is recorded so that it is understood the same again", () => {
    const look = (path: string): Place =>
      path.endsWith(".git") ? "repository" : path.endsWith(".zip") ? "file" : "folder";
    const everything = { cwd: join("/", "work"), home: "/home/me", look };
    fc.assert(
      fc.property(texts, (text) => {
        const first = parseSource(text, everything);
        if (!first.ok) return;
        const second = parseSource(latestSourceOf(originOf(first)), everything);
        expect(withoutSecrets(second)).toEqual(withoutSecrets(first));
      }),
      {
        numRuns: numRuns(2000),
        examples: [["https://.git?token=a"], ["https://owner/repo.git?token=a"], ["https://./##"]],
      },
    );
  });
});

describe("an origin", () => {
  const commit = "a".repeat(40);
  const refs = fc.oneof(
    fc.constantFrom("main", "v1", "feature/x", "pkg@1.0.0", "a@b", "100%", "a%40b", "x#y"),
    fc.stringMatching(/^[a-z0-9][a-z0-9@%#_-]{0,20}$/),
  );
  const paths = fc.constantFrom(undefined, "skills", "a/b", "a@b", "a%20b/c#d", "@acme/x", "ü");
  const sources = fc.constantFrom(
    "acme/skills",
    "https://git.test/a/b.git",
    "git+https://git.test/a",
    "git@git.test:a/b",
    "ssh://git@git.test/a",
    "file:///srv/a.git",
    "./bare.git",
  );

  it("K-02 of git gives the source of that commit, and of what was asked for", () => {
    fc.assert(
      fc.property(sources, refs, paths, (source, ref, path) => {
        const origin: PackOrigin = {
          type: "git",
          source,
          ref,
          resolved: commit,
          ...(path !== undefined && { path }),
        };
        const { ref: _, path: __, ...same } = { kind: "git", source, ref, path };
        const folder = path === undefined ? {} : { path };
        expect(parsed(sourceOf(origin))).toMatchObject({ ...same, ref: commit, ...folder });
        const latest = parseSource(latestSourceOf(origin), options);
        expect(latest).toMatchObject({ ...same, ref, ...folder });
        expect(latest).not.toHaveProperty("skill");
      }),
    );
  });

  it.each<[PackOrigin, string, string]>([
    [
      { type: "npm", source: "@acme/pdf", ref: "^1", resolved: "1.2.3" },
      "npm:@acme/pdf@1.2.3",
      "npm:@acme/pdf@^1",
    ],
    [{ type: "npm", source: "pdf", resolved: "1.2.3" }, "npm:pdf@1.2.3", "npm:pdf"],
    [{ type: "local", source: "./x" }, "./x", "./x"],
    [
      { type: "url", source: "https://a.test/x.zip" },
      "https://a.test/x.zip",
      "https://a.test/x.zip",
    ],
    [
      { type: "url", source: "https://a.test/get?id=5" },
      "url:https://a.test/get?id=5",
      "url:https://a.test/get?id=5",
    ],
    [
      { type: "well-known", source: "https://a.test/", path: "pdf" },
      "https://a.test/#@pdf",
      "https://a.test/#@pdf",
    ],
  ])("K-02 %j is %s", (origin, exact, latest) => {
    expect(sourceOf(origin)).toBe(exact);
    expect(latestSourceOf(origin)).toBe(latest);
    expect(parseSource(exact, options)).toMatchObject({
      ok: true,
      kind: origin.type,
      source: origin.source,
    });
  });
});

/** What the lock would record of it. */
function originOf(source: ParsedSource): PackOrigin {
  const { kind: type, source: text } = source;
  if (source.kind === "well-known") {
    return { type, source: text, ...(source.skill !== undefined && { path: source.skill }) };
  }
  const ref = "ref" in source && source.ref !== undefined ? { ref: source.ref } : {};
  const path = source.kind === "git" && source.path !== undefined ? { path: source.path } : {};
  return { type, source: text, ...ref, ...path };
}

function withoutSecrets(source: ReturnType<typeof parseSource>): object {
  const {
    notes: _,
    skill: __,
    url: ___,
    tree: ____,
    ...rest
  } = source as ParsedSource & {
    url?: string;
    tree?: string;
  };
  return rest;
}

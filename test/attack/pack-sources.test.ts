import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../support/fetch-source.ts";
import { GitRepository } from "../support/git-repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { webSite } from "../support/web-site.ts";

const NEW = "/.well-known/agent-skills/index.json";
const OLD = "/.well-known/skills/index.json";
const $schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const PATH = process.env["PATH"] ?? "";

/** A file that is there when something ran that must not, and a program that makes it. */
function trap() {
  const folder = temporaryFolder();
  const marker = join(folder, "ran");
  const program = join(folder, "evil");
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`);
  chmodSync(program, 0o755);
  return { folder, marker, program, hasRun: () => existsSync(marker) };
}

describe("case 53 what git could be made to run", () => {
  it.each([
    (evil: string) => `--upload-pack=${evil}`,
    (evil: string) => `-u${evil}`,
    (evil: string) => `ext::sh -c ${evil}`,
    (evil: string) => `git+ext::${evil}`,
    (evil: string) => `ext://${evil}`,
    (evil: string) => `ssh://-oProxyCommand=${evil}/x/y`,
    (evil: string) => `git@-oProxyCommand=${evil}:x`,
    (evil: string) => `https://127.0.0.1:9/$(${evil}).git`,
    (evil: string) => `file:///tmp/$(${evil}).git`,
    (evil: string) => `file:///tmp/\`${evil}\`;${evil}.git`,
    (evil: string) => `ssh://127.0.0.1:9/x;${evil}`,
    (evil: string) => `git@127.0.0.1:x;$(${evil})`,
    (evil: string) => `npm:x@$(${evil})`,
    (evil: string) => `npm:x@git+file://${evil}`,
    (evil: string) => `npm:${evil}`,
  ])("K-05 by its address %#", async (addressOf) => {
    const { program, hasRun } = trap();
    const { failure, quarantine } = await fetchSource(addressOf(program));
    expect(failure.code).toMatch(/^source-/);
    expect(hasRun()).toBe(false);
    expect(readdirSync(quarantine)).toEqual([]);
  });

  it.each([
    "--upload-pack=EVIL",
    "-c core.sshCommand=EVIL",
    "HEAD:EVIL",
    "@{EVIL}",
    "$(EVIL)",
    "a;EVIL",
    "--output=EVIL",
  ])("K-05 by the reference %s", async (ref) => {
    const { program, hasRun } = trap();
    const bare = new GitRepository({ "SKILL.md": SKILL }).bare();
    const { failure } = await fetchSource(`${bare}#${ref.replace("EVIL", program)}`);
    expect(failure.code).toMatch(/^source-/);
    expect(hasRun()).toBe(false);
  });

  it("K-05 by a submodule: it is left out", async () => {
    const { program, hasRun } = trap();
    const other = new GitRepository({ "SKILL.md": skillText("other") });
    const repository = new GitRepository({ "skills/dates/SKILL.md": SKILL });
    const commit = other.git("rev-parse", "HEAD");
    const module = (name: string, url: string) =>
      `[submodule "${name}"]\n\tpath = ${name}\n\turl = ${url}\n\tupdate = !${program}\n`;
    const names = ["skills/dates/inner", "skills/other", "evil"];
    const urls = [other.folder, `file://${other.folder}`, `ext::sh -c ${program}`];
    repository.git(
      "update-index",
      "--add",
      ...names.flatMap((name) => ["--cacheinfo", `160000,${commit},${name}`]),
    );
    writeFileSync(
      join(repository.folder, ".gitmodules"),
      names.map((name, i) => module(name, urls[i]!)).join(""),
    );
    repository.git("add", ".gitmodules");
    repository.git("commit", "--quiet", "--message", "submodules");
    const { files, pack } = await fetchSource(`file://${repository.folder}`);
    expect(files).toEqual({ "skills/dates/SKILL.md": SKILL });
    expect(pack.notes).toContain("left out: skills/dates/inner, a submodule");
    expect(hasRun()).toBe(false);
  });

  it("K-05 by hooks, templates and filters that the content calls for", async () => {
    const { folder, program, hasRun } = trap();
    const hooks = ["post-checkout", "reference-transaction", "post-index-change", "post-merge"];
    for (const place of ["hooks", "template/hooks"]) {
      mkdirSync(join(folder, place), { recursive: true });
      for (const hook of hooks) {
        writeFileSync(join(folder, place, hook), readFileSync(program));
        chmodSync(join(folder, place, hook), 0o755);
      }
    }
    const filter = (name: string) =>
      `[filter "${name}"]\n\tsmudge = ${program}\n\tprocess = ${program}\n\trequired = true\n`;
    const home = temporaryFolder({
      ".gitconfig": `[core]\n\thooksPath = ${folder}/hooks\n\tfsmonitor = ${program}\n[init]\n\ttemplateDir = ${folder}/template\n${filter("evil")}${filter("lfs")}`,
    });
    const repository = new GitRepository({ "SKILL.md": SKILL, "a.bin": "one", "b.bin": "two" });
    repository.commit({
      ".gitattributes": "a.bin filter=evil\nb.bin filter=lfs diff=lfs merge=lfs\n",
    });
    const { files } = await fetchSource(repository.bare(), { env: { PATH, HOME: home } });
    expect(files).toMatchObject({ "a.bin": "one", "b.bin": "two" });
    expect(hasRun()).toBe(false);
  });

  it("K-05 by the settings and hooks of a repository on this machine", async () => {
    const { program, hasRun } = trap();
    const bare = new GitRepository({ "SKILL.md": SKILL }).bare();
    for (const [name, value] of [
      ["uploadpack.packObjectsHook", program],
      ["core.fsmonitor", program],
      ["core.sshCommand", program],
      ["core.pager", program],
      ["core.alternateRefsCommand", program],
      ["core.gitProxy", program],
      ["credential.helper", `!${program}`],
      ["remote.origin.url", `ext::${program}`],
      ["remote.origin.promisor", "true"],
      ["extensions.partialClone", "origin"],
      ["protocol.ext.allow", "always"],
    ] as const) {
      execFileSync("git", ["--git-dir", bare, "config", name, value]);
    }
    execFileSync("git", ["--git-dir", bare, "config", "core.repositoryFormatVersion", "1"]);
    mkdirSync(join(bare, "hooks"), { recursive: true });
    for (const hook of ["reference-transaction", "post-checkout", "pre-receive"]) {
      writeFileSync(join(bare, "hooks", hook), readFileSync(program));
      chmodSync(join(bare, "hooks", hook), 0o755);
    }
    const { files } = await fetchSource(bare);
    expect(files).toEqual({ "SKILL.md": SKILL });
    expect(hasRun()).toBe(false);
    // With an object missing, git would ask the origin that the repository names for it.
    const object = execFileSync("git", ["--git-dir", bare, "rev-parse", "HEAD:SKILL.md"], {
      encoding: "utf8",
    }).trim();
    rmSync(join(bare, "objects", object.slice(0, 2), object.slice(2)));
    expect((await fetchSource(bare)).failure.code).toBe("source-unreachable");
    expect(hasRun()).toBe(false);
  });

  it("K-05 by variables of git and a PATH that leads into the project", async () => {
    const { folder, program, hasRun } = trap();
    const project = temporaryFolder();
    for (const place of [".", "bin", "node_modules/.bin"]) {
      mkdirSync(join(project, place), { recursive: true });
      for (const name of ["git", "npm", "ssh"]) {
        writeFileSync(join(project, place, name), readFileSync(program));
        chmodSync(join(project, place, name), 0o755);
      }
    }
    const bare = new GitRepository({ "SKILL.md": SKILL }).bare();
    const variables = [
      "GIT_EXEC_PATH",
      "GIT_TEMPLATE_DIR",
      "GIT_DIR",
      "GIT_WORK_TREE",
      "GIT_INDEX_FILE",
      "GIT_OBJECT_DIRECTORY",
      "GIT_CONFIG_GLOBAL",
    ];
    const env = {
      ...Object.fromEntries(variables.map((name) => [name, folder])),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
      GIT_TRACE: join(folder, "trace"),
      LD_PRELOAD: program,
      PATH: [
        "",
        ".",
        "bin",
        project,
        join(project, "bin"),
        join(project, "node_modules", ".bin"),
        PATH,
      ].join(delimiter),
      HOME: temporaryFolder(),
    };
    const { files } = await fetchSource(bare, { env, cwd: project });
    expect(files).toEqual({ "SKILL.md": SKILL });
    expect(hasRun()).toBe(false);
    expect(existsSync(join(folder, "trace"))).toBe(false);
  });
});

describe("case 53 what a repository could make us read or write", () => {
  it("K-05 a skill that is a link to somewhere else is not taken", async () => {
    const outside = temporaryFolder({ "SKILL.md": skillText("secret"), "key.pem": "private" });
    const repository = new GitRepository({ "skills/dates/SKILL.md": SKILL });
    symlinkSync(outside, join(repository.folder, "skills/secret"));
    repository.commit({});
    const { files, quarantine } = await fetchSource(repository.bare());
    expect(files).toEqual({ "skills/dates/SKILL.md": SKILL });
    expect(execFileSync("find", [quarantine, "-type", "l"], { encoding: "utf8" })).toBe("");
  });

  it.each(["..", ".git", "a\\b", "CON", "\n"])(
    "K-05 a tree with the name %j writes nothing",
    async (name) => {
      const repository = new GitRepository({ "SKILL.md": SKILL });
      const object = repository.git("hash-object", "-w", "SKILL.md");
      const file = (path: string, mode: string, id: string) =>
        Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(id, "hex")]);
      const write = (...entries: Buffer[]) =>
        execFileSync("git", ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
          cwd: repository.folder,
          input: Buffer.concat(entries),
          encoding: "utf8",
        }).trim();
      const inner = write(file("evil", "100644", object));
      const tree = write(file(name, "40000", inner), file("SKILL.md", "100644", object));
      const commit = repository.git("commit-tree", tree, "-m", "evil");
      repository.git("update-ref", "refs/heads/evil", commit);
      const { failure, quarantine } = await fetchSource(`file://${repository.folder}#evil`);
      expect(failure.code).toBe("archive-unsafe");
      expect(readdirSync(quarantine)).toEqual([]);
      expect(existsSync(join(quarantine, "..", "evil"))).toBe(false);
    },
  );
});

describe("case 53 what ends", () => {
  it("K-05 git and all it started, when the fetch is canceled", async () => {
    const stop = new AbortController();
    const site = await webSite(
      new Proxy({}, { get: () => () => void setTimeout(() => stop.abort(), 50) }),
    );
    const url = `${site.origin}/a.git`;
    const { failure, quarantine } = await fetchSource(url, { signal: stop.signal });
    expect(failure.code).toBe("canceled");
    expect(readdirSync(quarantine)).toEqual([]);
    await expect.poll(() => processesWith(url)).toEqual([]);
  });

  it("K-05 an answer without end", async () => {
    let sent = 0;
    const site = await webSite({
      "/a.zip": (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        response.on("drain", more).on("error", () => undefined);
        more();
      },
    });
    const limits = { archiveBytes: 1_000_000 };
    const { failure, quarantine } = await fetchSource(`${site.origin}/a.zip`, { limits });
    expect(failure.code).toBe("limit-exceeded");
    expect(readdirSync(quarantine)).toEqual([]);
    // What the system holds between the two ends comes on top.
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([
    ["in bytes", `{"skills":[${'{"name":"a"},'.repeat(200_000)}{}]}`],
    ["in entries", JSON.stringify({ $schema, skills: Array.from({ length: 5000 }, () => ({})) })],
  ])("K-05 an index that is huge %s", async (_how, text) => {
    const site = await webSite({ [NEW]: text });
    const { failure } = await fetchSource(site.origin);
    expect(failure.code).toBe("limit-exceeded");
    expect(site.asked).toEqual([NEW]);
  });
});

describe("case 53 where a site could lead", () => {
  /** The public internet: answers by URL, and all that was asked for. */
  function internet(answers: Readonly<Record<string, Response>>) {
    const asked: string[] = [];
    const fetch = async (input: string | URL | Request) => {
      const url = input instanceof Request ? input.url : String(input);
      asked.push(url);
      return answers[url] ?? new Response(null, { status: 404 });
    };
    return { asked, fetch };
  }

  it.each([
    "https://127.0.0.1/a.zip",
    "https://[::1]/a.zip",
    "https://localhost/a.zip",
    "https://10.0.0.1/a.zip",
    "https://169.254.169.254/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "https://0x7f.1/a.zip",
    "http://public.example/a.zip",
    "file:///etc/passwd",
    "data:application/zip,PK",
  ])("K-05 a redirection and an entry to %s are not followed", async (location) => {
    const digest = `sha256:${"0".repeat(64)}`;
    const { asked, fetch } = internet({
      "https://93.184.216.34/a.zip": new Response(null, { status: 302, headers: { location } }),
      [`https://93.184.216.34${NEW}`]: Response.json({
        $schema,
        skills: [{ name: "dates", type: "archive", url: location, digest }],
      }),
    });
    const redirected = await fetchSource("https://93.184.216.34/a.zip", { fetch });
    expect(redirected.failure).toMatchObject({ code: "source-unreachable" });
    const listed = await fetchSource("https://93.184.216.34/", { fetch });
    expect(listed.failure).toMatchObject({ code: "source-unreachable" });
    expect(asked).toEqual(["https://93.184.216.34/a.zip", `https://93.184.216.34${NEW}`]);
  });

  it("K-05 content that is not what the index says is refused as that", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const skills = ["skill-md", "archive"].map((type, i) => ({
      name: `dates-${i}`,
      type,
      url: "/x",
      digest,
    }));
    const site = await webSite({ [NEW]: JSON.stringify({ $schema, skills }), "/x": SKILL });
    for (const name of ["dates-0", "dates-1"]) {
      const { failure, quarantine } = await fetchSource(`${site.origin}/#@${name}`);
      expect(failure.code).toBe("digest-mismatch");
      expect(failure.message).toContain(digest);
      expect(readdirSync(quarantine)).toEqual([]);
    }
  });

  it.each([
    "../../../evil",
    "/etc/evil",
    "a/../../evil",
    "..\\evil",
    "C:/evil",
    "a/./b",
    "%2e%2e/ok",
    "https://evil.test/x",
    "a\0b",
    "",
  ])("K-05 a file %j of a v0.1 index stays in its skill", async (file) => {
    const skills = [{ name: "dates", description: "d", files: ["SKILL.md", file] }];
    const folder = OLD.replace("index.json", "dates/");
    const site = await webSite({
      [OLD]: JSON.stringify({ skills }),
      [`${folder}SKILL.md`]: SKILL,
      "/evil": "evil",
    });
    const { failure, quarantine } = await fetchSource(site.origin);
    // A percent sign is a plain character here: it is asked for as one, and is not there.
    expect(failure.code).toBe(file === "%2e%2e/ok" ? "source-missing" : "archive-unsafe");
    expect(site.asked).not.toContain("/evil");
    expect(readdirSync(quarantine)).toEqual([]);
    expect(readdirSync(join(quarantine, "..")).sort()).toEqual(["home", "quarantine"]);
  });
});

/** Command lines of running processes that hold a text. */
function processesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const line = readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}

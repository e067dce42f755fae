import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../../../../../test/support/fetch-source.ts";
import { GitRepository } from "../../../../../test/support/git-repository.ts";
import { plainGitServer, smartGitServer, urlOf } from "../../../../../test/support/git-server.ts";
import { webSite } from "../../../../../test/support/web-site.ts";
import { sourceOf } from "../index.ts";

const NOISE = Array.from({ length: 40_000 }, (_, i) => `${(i * 7919) % 65_537}`).join(" ");

/** Two commits: a skill among much that is none. */
function repository() {
  const made = new GitRepository({ "skills/dates/SKILL.md": SKILL, "data.txt": NOISE });
  const first = made.git("rev-parse", "HEAD");
  made.commit({ "skills/times/SKILL.md": skillText("times"), "more.txt": `${NOISE} more` });
  return { bare: made.bare(), first };
}

function allowFilter(bare: string): void {
  execFileSync("git", ["--git-dir", bare, "config", "uploadpack.allowFilter", "true"]);
}

describe("from a server", () => {
  it("K-02 asks for the content of skills only, where the server can do that", async () => {
    const { bare } = repository();
    allowFilter(bare);
    const server = await smartGitServer(bare);
    // Less than the content that is not wanted.
    const limits = { archiveBytes: 20_000 };
    const { pack, files } = await fetchSource(`git+${urlOf(server, bare)}`, { limits });
    expect(pack.skills.map(({ name }) => name)).toEqual(["dates", "times"]);
    expect(files["skills/dates/SKILL.md"]).toBe(SKILL);
    expect(pack.origin.source).toBe(urlOf(server, bare));
  });

  it("K-02 takes a server that can do nothing of the kind", async () => {
    const { bare, first } = repository();
    execFileSync("git", ["--git-dir", bare, "update-server-info"]);
    const server = await plainGitServer(bare);
    const { pack } = await fetchSource(urlOf(server, bare));
    expect(pack.skills).toHaveLength(2);
    const old = await fetchSource(`${urlOf(server, bare)}#${first}`);
    expect(old.pack.skills).toHaveLength(1);
  });

  it.each([false, true])("K-02 gets a commit by its hash (filter: %s)", async (canFilter) => {
    const { bare, first } = repository();
    if (canFilter) allowFilter(bare);
    const server = await smartGitServer(bare);
    const url = urlOf(server, bare);
    for (const ref of [first, first.slice(0, 8)]) {
      const { pack } = await fetchSource(`${url}//skills#${ref}`);
      expect(pack.origin).toEqual({
        type: "git",
        source: url,
        ref,
        resolved: first,
        path: "skills",
      });
      expect((await fetchSource(sourceOf(pack.origin))).pack.origin.resolved).toBe(first);
    }
  });
});

describe("who may", () => {
  it("K-05 asks nobody for a password, and says how to give it", async () => {
    const server = await webSite(
      new Proxy({}, { get: () => ({ status: 401, headers: { "www-authenticate": "Basic" } }) }),
    );
    const { failure } = await fetchSource(`${server.origin}/private.git`);
    expect(failure.code).toBe("source-unreachable");
    expect(failure.hint).toContain("credential helper");
  });

  it("K-05 uses credentials of the URL and keeps them nowhere", async () => {
    const { bare } = repository();
    const server = await smartGitServer(bare);
    const url = urlOf(server, bare).replace("//", "//someone:s3cret@");
    const { pack } = await fetchSource(url);
    expect(JSON.stringify(pack)).not.toMatch(/s3cret|someone/);
    expect(pack.notes.join()).toContain("not recorded");
    expect(readFileSync(join(pack.skills[0]!.directory, "SKILL.md"), "utf8")).toBe(SKILL);
    const missing = await fetchSource(url.replace(/skills\.git$/, "other.git"));
    expect(missing.failure.code).toBe("source-missing");
    expect(JSON.stringify(missing.failure)).not.toMatch(/s3cret|someone/);
  });
});

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL } from "../../../../../test/support/fetch-source.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { webSite } from "../../../../../test/support/web-site.ts";
import { readBody, resolveLatest, webContext } from "../index.ts";

function tarball(): Buffer {
  const folder = temporaryFolder({ "dates/SKILL.md": SKILL });
  return execFileSync("tar", ["-C", folder, "-czf", "-", "dates"]);
}

const sha256 = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

describe("an archive", () => {
  it("K-02 is fetched, kept and recorded by its digest", async () => {
    const bytes = tarball();
    const site = await webSite({ "/dates.tar.gz": bytes });
    const source = `${site.origin}/dates.tar.gz`;
    const { pack, files } = await fetchSource(source);
    expect(pack.origin).toEqual({ type: "url", source, integrity: sha256(bytes) });
    expect(files).toEqual({ "dates/SKILL.md": SKILL });
    expect(readFileSync(pack.archive!)).toEqual(bytes);
    expect(site.requests[0]?.headers["accept-encoding"]).toBe("identity");
    const options = { cwd: "/", env: {} };
    expect(await resolveLatest(pack.origin, options)).toEqual({
      ok: true,
      integrity: sha256(bytes),
    });
  });

  it("K-02 is known by its content when the address says nothing", async () => {
    const site = await webSite({ "/get?id=5": tarball(), "/raw?id=6": SKILL });
    const { pack } = await fetchSource(`url:${site.origin}/get?id=5`);
    expect(pack.skills).toMatchObject([{ name: "dates", path: "dates" }]);
    const text = await fetchSource(`url:${site.origin}/raw?id=6`);
    expect(text.pack.skills).toMatchObject([{ name: "dates" }]);
  });

  it("K-02 a SKILL.md is a skill by itself", async () => {
    const site = await webSite({ "/skills/dates/SKILL.md": SKILL });
    const { pack, files } = await fetchSource(`${site.origin}/skills/dates/SKILL.md`);
    expect(files).toEqual({ "dates/SKILL.md": SKILL });
    expect(pack.archive).toBeUndefined();
  });

  it("K-05 a web page instead of it is told as one", async () => {
    const site = await webSite({
      "/a.zip": (_request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end("<html>sign in</html>");
      },
    });
    const { failure, quarantine } = await fetchSource(`${site.origin}/a.zip`);
    expect(failure).toMatchObject({ code: "archive-invalid" });
    expect(failure.hint).toContain("web page");
    expect(readdirSync(quarantine)).toEqual([]);
  });
});

describe("answers", () => {
  it.each([
    [404, "source-missing"],
    [410, "source-missing"],
    [401, "source-unreachable"],
    [403, "source-unreachable"],
    [500, "source-unreachable"],
    [304, "source-unreachable"],
  ])("K-05 %i is %s", async (status, code) => {
    const site = await webSite({ "/a.zip": { status } });
    const { failure } = await fetchSource(`${site.origin}/a.zip`);
    expect(failure.code).toBe(code);
  });

  it("K-05 how to say who asks, when that is wanted", async () => {
    const site = await webSite({ "/a.zip": { status: 401 } });
    const { failure } = await fetchSource(`${site.origin}/a.zip`);
    expect(failure.hint).toContain("credentials");
  });

  it("K-05 a host that is not there", async () => {
    const { failure } = await fetchSource("http://127.0.0.1:9/a.zip");
    expect(failure.code).toBe("source-unreachable");
  });

  it("K-02 redirections are followed, five of them", async () => {
    const site = await webSite({ "/a.zip": tarball() });
    for (let i = 1; i <= 6; i++) {
      const location = i === 1 ? "/a.zip" : `/${i - 1}.zip`;
      site.pages[`/${i}.zip`] = { status: 302, headers: { location } };
    }
    const { pack } = await fetchSource(`${site.origin}/5.zip`);
    expect(pack.origin.source).toBe(`${site.origin}/5.zip`);
    expect((await fetchSource(`${site.origin}/6.zip`)).failure.message).toContain("redirects");
  });

  it("K-05 credentials go to the host they are for, and into no record", async () => {
    const other = await webSite({ "/b.zip": tarball() });
    const location = `${other.origin}/b.zip`;
    const site = await webSite({
      "/a.zip": { status: 302, headers: { location: "/c.zip" } },
      "/c.zip": { status: 302, headers: { location } },
    });
    const url = `${site.origin}/a.zip`.replace("//", "//me:s3cret@");
    const { pack } = await fetchSource(url);
    const basic = `Basic ${Buffer.from("me:s3cret").toString("base64")}`;
    expect(site.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(JSON.stringify(pack)).not.toContain("s3cret");
    expect(pack.notes.join()).toContain("not recorded");
  });

  it("K-05 one that says nothing for too long is given up", async () => {
    const site = await webSite({ "/a.zip": (_request, response) => void response.write("PK") });
    const context = { ...webContext(`${site.origin}/a.zip`, {}), idleMilliseconds: 50 };
    const read = await readBody(context.start, context, 1000, () => undefined);
    expect(read).toMatchObject({ ok: false, code: "source-unreachable" });
  });

  it("K-05 a download that is canceled leaves nothing", async () => {
    const stop = new AbortController();
    const site = await webSite({
      "/a.zip": (_request, response) => {
        response.write("PK");
        stop.abort();
      },
    });
    const { failure, quarantine } = await fetchSource(`${site.origin}/a.zip`, {
      signal: stop.signal,
    });
    expect(failure.code).toBe("canceled");
    expect(readdirSync(quarantine)).toEqual([]);
  });
});

it("K-02 archives and folders that are here", async () => {
  const folder = temporaryFolder({
    "skills/dates/SKILL.md": SKILL,
    "skills/dates/a.md": "a",
    "notes.md": "not part of a skill",
  });
  const { pack, files } = await fetchSource("./skills", { cwd: folder });
  expect(pack.origin).toEqual({ type: "local", source: "./skills" });
  expect(files).toEqual({ "dates/SKILL.md": SKILL, "dates/a.md": "a" });
  const archive = join(folder, "dates.tgz");
  execFileSync("tar", ["-C", join(folder, "skills"), "-czf", archive, "dates"]);
  const packed = await fetchSource("dates.tgz", { cwd: folder });
  expect(packed.files).toEqual(files);
  expect(packed.pack.origin).toEqual({
    type: "archive",
    source: "./dates.tgz",
    integrity: sha256(readFileSync(archive)),
  });
  expect(packed.pack.archive).toBe(archive);
});

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { pathHider } from "./index.ts";

const hider = (more: { home?: string; cwd?: string; roots?: string[] } = {}) => {
  const {
    home = "/home/ann",
    cwd = "/home/ann/work",
    roots = ["/home/ann/work/.agent/skills"],
  } = more;
  return pathHider({ home, cwd, skills: { all: [], roots } });
};

describe("pathHider", () => {
  it.each([
    ["the skill in /home/ann/work/.agent/skills/pdf is bad", "the skill in skills/pdf is bad"],
    ["wrote /home/ann/work/out.pdf", "wrote ~/work/out.pdf"],
    ['at file:///home/ann/x.mjs:3 "/home/ann"', 'at file://~/x.mjs:3 "~"'],
    ["/home/ann.", "~."],
    ["/home/anna and /mnt/home/ann stay", "/home/anna and /mnt/home/ann stay"],
  ])("H-02 D-10 %j becomes %j", (text, shown) => {
    expect(hider()(text)).toBe(shown);
  });

  it("H-02 D-10 a folder outside of the home has its name", () => {
    const hide = hider({ cwd: "/srv/a+b/", roots: ["/srv/a+b/skills", "", "inline"] });
    expect(hide("in /srv/a+b: /srv/a+b/skills/x")).toBe("in …/a+b: skills/x");
  });

  it("H-02 folders of the system are no secret", () => {
    expect(hider({ home: "/", cwd: "/", roots: [] })("/ and /etc")).toBe("/ and /etc");
  });

  it("H-02 D-10 knows where links lead", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "link"));
    const hide = hider({ home: join(folder, "link") });
    expect(hide(`${folder}/link/a ${folder}/real/a`)).toBe("~/a ~/a");
  });
});

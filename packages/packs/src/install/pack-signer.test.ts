import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { done, PackWorld, refused } from "../../../../test/support/pack-world.ts";
import { type Page, type WebSite, webSite } from "../../../../test/support/web-site.ts";
import type { InstallOptions } from "../index.ts";
import { packSkills } from "../pack/index.ts";
import { signPack } from "../sign/index.ts";
import { installSkills } from "./index.ts";

const newKey = () =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

let world: PackWorld;
let site: WebSite;
let signature: string;
/** Public keys: of who signed, and of somebody else. */
let author: string;
let stranger: string;
let fingerprint: string;

beforeEach(async () => {
  world = new PackWorld();
  world.skills("pack", { dates: {} });
  const pack = world.path("pack.zip");
  done(await packSkills({ root: world.path("pack"), output: pack, format: "zip" }));
  stranger = done(await signPack({ pack, key: newKey() })).publicKey;
  const signed = done(await signPack({ pack, key: newKey(), force: true }));
  author = signed.publicKey;
  fingerprint = signed.fingerprint;
  signature = readFileSync(`${pack}.sig`, "utf8");
  site = await webSite({ "/pack.zip": readFileSync(pack), "/pack.zip.sig": signature });
});

function install(options: Partial<InstallOptions> = {}, source = `${site.origin}/pack.zip`) {
  return installSkills(source, { ...world.session, ...options });
}

const failing: readonly (readonly [string, Page])[] = [
  ["an error of the server", { status: 500 }],
  ["a request for credentials", { status: 401 }],
  ["a redirection that is not encrypted", { status: 302, headers: { location: "http://[::2]/" } }],
  ["an answer that breaks off", (_, response) => void response.destroy()],
];

describe("the signature of a pack on the web", () => {
  it("K-05 is found behind a redirection, and by a stranger refuses", async () => {
    site.pages["/pack.zip.sig"] = { status: 302, headers: { location: "/files/7" } };
    site.pages["/files/7"] = signature;
    expect(refused(await install({ trustedKeys: [stranger] })).code).toBe("signer-unknown");
    const report = done(await install({ trustedKeys: [author], requireSignature: true }));
    expect(report.notes).toContain(`signed by ${fingerprint}`);
  });

  it("K-05 is asked for with the credentials and the query of the pack", async () => {
    const wanted = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    const guarded =
      (content: Page): Page =>
      ({ headers }, response) => {
        const isKnown = headers.authorization === wanted;
        response.writeHead(isKnown ? 200 : 401).end(isKnown ? content : "");
      };
    site.pages["/own.zip?token=1&v=2"] = guarded(site.pages["/pack.zip"]!);
    site.pages["/own.zip.sig?token=1&v=2"] = guarded(signature);
    const source = `${site.origin.replace("//", "//me:secret@")}/own.zip?token=1&v=2`;
    const refusal = refused(await install({ trustedKeys: [stranger] }, source));
    expect(refusal.code).toBe("signer-unknown");
    done(await install({ trustedKeys: [author], requireSignature: true }, source));
    expect(world.lockText).not.toMatch(/secret|token/);
  });

  it.each(failing)("K-05 %s is not the same as none", async (_, page) => {
    site.pages["/pack.zip.sig"] = page;
    const before = world.project;
    for (const options of [{}, { requireSignature: true }]) {
      const failure = refused(await install({ trustedKeys: [author], ...options }));
      expect(failure).toMatchObject({
        code: "source-unreachable",
        message: expect.stringContaining("signature"),
      });
    }
    expect(world.project).toEqual(before);
    expect(done(await install()).notes.join()).toContain("signature of the pack cannot be had");
  });

  it.each([404, 410])("K-05 there is none at %d", async (status) => {
    site.pages["/pack.zip.sig"] = { status };
    const required = { trustedKeys: [author], requireSignature: true };
    expect(refused(await install(required)).code).toBe("signature-invalid");
    expect(done(await install({ trustedKeys: [author] })).notes.join()).not.toContain("sign");
  });

  it.each(["<html>not found</html>", `<html>${"not found ".repeat(9999)}</html>`])(
    "K-05 a page is none, and that is said: %.20s",
    async (page) => {
      site.pages["/pack.zip.sig"] = page;
      const required = { trustedKeys: [author], requireSignature: true };
      expect(refused(await install(required)).code).toBe("signature-invalid");
      const report = done(await install({ trustedKeys: [author] }));
      expect(report.notes.join()).toContain("no signature");
    },
  );

  it("K-05 one that is damaged refuses", async () => {
    site.pages["/pack.zip.sig"] = `\n${signature}`;
    expect(refused(await install()).code).toBe("signature-invalid");
  });
});

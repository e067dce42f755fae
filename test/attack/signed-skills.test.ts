import { createHash, generateKeyPairSync } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  installSkills,
  packSkills,
  restoreSkills,
  signPack,
  updateSkills,
  verifyInstalled,
} from "@skillwright/packs";
import { combineDigests } from "@skillwright/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { done, PackWorld, refused } from "../support/pack-world.ts";

const PATH = ".agent/skills/dates";
const newKey = () =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

interface Entry {
  files: Record<string, string>;
  digest: string;
  signer?: string;
  signature?: string;
}

let world: PackWorld;
let author: string;
let fingerprint: string;

beforeEach(async () => {
  world = new PackWorld();
  ({ publicKey: author, fingerprint } = await signedPack("pack.zip"));
  done(await installSkills("./pack.zip", { ...world.session, trustedKeys: [author] }));
});

async function signedPack(name: string, key = newKey()) {
  world.skills("pack", { dates: { "a.md": "a" } });
  const pack = world.path(name);
  done(await packSkills({ root: world.path("pack"), output: pack, format: "zip", force: true }));
  return done(await signPack({ pack, key, force: true }));
}

/** What whoever can write the project can do. */
function editLock(edit: (entry: Entry) => void): void {
  const lock = JSON.parse(world.lockText) as { skills: Record<string, Entry> };
  edit(lock.skills[PATH]!);
  writeFileSync(world.scope.lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}

function editSkill(): void {
  const text = "Now it does something else.";
  writeFileSync(join(world.scope.root, "dates/a.md"), text);
  editLock((entry) => {
    entry.files["a.md"] = createHash("sha256").update(text).digest("hex");
    const files = Object.entries(entry.files).sort(([a], [b]) => (a < b ? -1 : 1));
    entry.digest = combineDigests(files.map(([path, sha256]) => ({ path, sha256, size: 0 })));
  });
}

const required = () => ({
  ...world.session,
  frozen: true,
  requireSignature: true,
  trustedKeys: [author],
});

async function verified(options: Parameters<typeof verifyInstalled>[1] = {}) {
  const { skills, problems } = done(await verifyInstalled(world.scope, options));
  return { status: skills[0]?.status, codes: problems.map(({ code }) => code), skills };
}

const policy = () => ({ requireSignature: true, trustedKeys: [author] });

describe("a skill that was installed from a signed pack", () => {
  it("K-04 passes as it is, and names its signer", async () => {
    const { status, codes, skills } = await verified({ signatures: policy() });
    expect([status, codes, skills[0]?.signer]).toEqual(["ok", [], fingerprint]);
    expect(done(await restoreSkills(required())).changed).toBe(false);
  });

  it("K-04 edited on disk with its lock entry recomputed fails verify and --frozen", async () => {
    editSkill();
    expect(await verified()).toMatchObject({ status: "modified", codes: ["signature-invalid"] });
    expect(refused(await restoreSkills(required())).code).toBe("signature-invalid");
    expect(refused(await restoreSkills({ ...world.session, frozen: true })).code).toBe(
      "signature-invalid",
    );
  });

  it("K-04 with the signature dropped from the lock fails where a signature is required", async () => {
    editSkill();
    editLock((entry) => {
      delete entry.signer;
      delete entry.signature;
    });
    expect((await verified({ signatures: policy() })).codes).toEqual(["signature-invalid"]);
    expect(refused(await restoreSkills(required())).code).toBe("signature-invalid");
  });

  it("K-04 with the manifest edited, missing, or signed by a stranger fails", async () => {
    const folder = join(world.base, ".agent/skills.signatures");
    const [id = ""] = readdirSync(folder);
    const file = join(folder, id, "manifest.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/"size": \d+/, '"size": 9'));
    expect((await verified()).codes).toEqual(["signature-invalid"]);
    rmSync(file);
    expect((await verified()).codes).toEqual(["signature-invalid"]);

    const stranger = await signedPack("other.zip");
    writeFileSync(file, text);
    copyFileSync(world.path("other.zip.sig"), `${file}.sig`);
    expect((await verified()).codes).toEqual(["signature-invalid"]);
    editLock((entry) => void (entry.signer = stranger.fingerprint));
    expect((await verified({ signatures: policy() })).codes).toEqual(["signer-unknown"]);
    expect(refused(await restoreSkills(required())).code).toBe("signer-unknown");
  });

  it("K-04 by a key that was revoked fails, though the key is trusted", async () => {
    const revokedKeys = [fingerprint];
    const signatures = { ...policy(), revokedKeys };
    expect((await verified({ signatures })).codes).toEqual(["signer-revoked"]);
    expect(refused(await restoreSkills({ ...required(), revokedKeys })).code).toBe(
      "signer-revoked",
    );
    const options = { ...world.session, trustedKeys: [author], revokedKeys };
    expect(refused(await installSkills("./pack.zip", options)).code).toBe("signer-revoked");
  });

  it("K-04 cannot be taken over by another signer, or by nobody, on any way in", async () => {
    await signedPack("pack.zip");
    rmSync(join(world.scope.root, "dates"), { recursive: true });
    const { session } = world;
    for (const attempt of [
      () => installSkills("./pack.zip", { ...session, force: true }),
      () => updateSkills(session),
      () => restoreSkills(session),
    ]) {
      expect(refused(await attempt()).code).toBe("signer-changed");
    }
    rmSync(world.path("pack.zip.sig"));
    expect(refused(await restoreSkills(session)).code).toBe("signer-changed");
    expect(refused(await updateSkills(session)).code).toBe("signer-changed");
  });

  it("K-04 takes a new signature of the same content when a person accepts it", async () => {
    const again = await signedPack("pack.zip");
    expect(refused(await updateSkills(world.session)).code).toBe("signer-changed");
    done(await updateSkills({ ...world.session, acceptSigner: true }));
    expect(world.lock.skills[PATH]!.signer).toBe(again.fingerprint);
    expect((await verified()).codes).toEqual([]);
  });
});

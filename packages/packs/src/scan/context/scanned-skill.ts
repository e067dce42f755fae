import type { NetworkSend } from "../facts/network-send.ts";
import type { SecretRead } from "../facts/secret-read.ts";
import type { ScanFile } from "./scan-file.ts";
import { type SkillProfile, profileOf } from "./skill-profile.ts";

/** Facts are joined with each other; more of one kind in one file would add work and say nothing new. */
const MAX_FACTS = 50;

/** All texts of a skill, and what was noted about them. */
export class ScannedSkill {
  readonly files: ScanFile[] = [];
  readonly secrets: SecretRead[] = [];
  readonly sends: NetworkSend[] = [];
  readonly #counts = new Map<string, number>();
  #profile: SkillProfile | undefined;

  get profile(): SkillProfile {
    return (this.#profile ??= profileOf(
      this.files.find(({ path }) => path === "SKILL.md")?.text ?? "",
    ));
  }

  noteSecret(secret: SecretRead): void {
    if (this.#isNew(`${secret.what}\n${secret.line.file.path}`)) this.secrets.push(secret);
  }

  noteSend(send: NetworkSend): void {
    const kind = send.isCapture ? "capture" : send.hosts.length > 0 ? "known host" : "unknown host";
    if (this.#isNew(`${kind}\n${send.line.file.path}`)) this.sends.push(send);
  }

  #isNew(kind: string): boolean {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count <= MAX_FACTS;
  }
}

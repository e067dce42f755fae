/** What tests use of this folder; sources import the files themselves. */

export { checkSignature } from "./check-signature.ts";
export { checkSigner } from "./check-signer.ts";
export { makeSignature } from "./make-signature.ts";
export { publicKeyOf, readKeyBlob, renderPublicKey, SECURITY_KEY } from "./public-key.ts";
export { readPrivateKey } from "./read-private-key.ts";
export { readPublicKey } from "./read-public-key.ts";
export { readTrustedKeys } from "./read-trusted-keys.ts";
export { signPack } from "./sign-pack.ts";
export { verifySigstore } from "./sigstore/verify-sigstore.ts";
export { messageToSign, renderSshSignature } from "./ssh-signature.ts";
export { sshStrings } from "./ssh-wire.ts";
export { type VerifyOptions, verifyPack, verifyUnpacked } from "./verify-pack.ts";

/** Who must have signed. Both are compared as they are: no patterns, no prefixes. */
export interface SigstoreIdentity {
  /** The OpenID provider: `https://token.actions.githubusercontent.com`. */
  readonly issuer: string;
  /** The name in the certificate: an e-mail address, or the URL of a workflow. */
  readonly subject: string;
}

export interface SigstoreOptions {
  /** The bundle; `<pack>.sigstore.json` unless given. */
  readonly bundle?: string;
  /** A file with the keys of the logs and authorities (`trusted_root.json`). Nothing is fetched. */
  readonly trustedRoot: string;
  readonly identity: SigstoreIdentity;
}

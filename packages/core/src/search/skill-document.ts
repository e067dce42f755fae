/** What is indexed of one skill. Without a body the index rests on name and description. */
export interface SkillDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly body?: string;
}

export interface SearchHit {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Comparable within one answer only. */
  readonly score: number;
}

export interface SearchOptions {
  /** 5 unless told. */
  readonly limit?: number;
}

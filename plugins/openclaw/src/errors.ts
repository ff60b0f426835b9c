/** What can go wrong between a host and its memory. Known by name: copies of this module share workers. */

/** What commonplace refused, in its own words. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: string;

  constructor(said: { code: string; message: string; hint: string }) {
    super(said.hint ? `${said.message} (${said.hint})` : said.message);
    this.code = said.code;
  }
}

/** The memory cannot be asked: it is not installed, does not start, or did not answer. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

export function isRefused(error: unknown): error is Refused {
  return (error as Error).name === "Refused";
}

export function isUnavailable(error: unknown): error is Unavailable {
  return (error as Error).name === "Unavailable";
}

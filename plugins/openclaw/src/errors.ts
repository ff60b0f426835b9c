/** Errors between the host and its memory. They are compared by name, because several copies of this module share workers. */

/** commonplace refused a request; the message is its own. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: string;

  constructor(said: { code: string; message: string; hint: string }) {
    super(said.hint ? `${said.message} (${said.hint})` : said.message);
    this.code = said.code;
  }
}

/** No answer from commonplace: it is not installed, does not start, or did not reply in time. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

export function isRefused(error: unknown): error is Refused {
  return (error as Error).name === "Refused";
}

export function isUnavailable(error: unknown): error is Unavailable {
  return (error as Error).name === "Unavailable";
}

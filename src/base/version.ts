/** The package's version, written into the bundle when it is built. */

declare const TRESTLE_VERSION: string | undefined;

/** Version of this package; `0.0.0-source` when the sources are run as they are. */
export const version: string = typeof TRESTLE_VERSION === 'string' ? TRESTLE_VERSION : '0.0.0-source';

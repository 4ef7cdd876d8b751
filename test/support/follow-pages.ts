/** What a browser does on pages that ask nothing. */
export async function followPages(page: string): Promise<void> {
  for (let url: string | undefined = page; url !== undefined;) {
    const response: Response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    url = location === null ? undefined : new URL(location, url).href;
  }
}

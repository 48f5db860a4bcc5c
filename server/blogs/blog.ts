import type { BlogSettings } from '../../generator/site/blog.ts';
import type { TakeDownState } from '../take-downs/take-down.ts';
import type { SettingsPatch } from './blog-settings.ts';
import type { OwnerHtml, ThemeConfig, ThemePatch } from './theme/theme.ts';

export interface Blog extends TakeDownState {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  /** The name of its folder on the edge. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** As its owner registered it. */
  readonly customDomain: string | null;
  /** The custom domain, if its DNS points to the blog; readers then find the blog there. */
  readonly domain: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Theme and settings that an owner has chosen. They may be large, so they are not part of `Blog`. */
export interface Appearance {
  readonly themeConfig: ThemeConfig;
  readonly ownerHtml: OwnerHtml;
  readonly settings: BlogSettings;
}

export interface NewBlog {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export interface CreatedBlog {
  readonly blog: Blog;
  readonly rebuildId: string;
}

/** The fields that a PUT changes. Missing fields keep their values. */
export interface BlogPatch {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly themeConfig?: ThemePatch | undefined;
  readonly settings?: SettingsPatch | undefined;
}

export interface BlogDetails extends Appearance {
  readonly blog: Blog;
}

export interface UpdatedBlog extends BlogDetails {
  /** Null if nothing changed. */
  readonly rebuildId: string | null;
}

-- Schema of the last development version, whose 33 migrations became 0001-initial-schema: as SQLite had it.

CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" (
  "id" varchar(255) not null primary key,
  "is_locked" integer default 0 not null
);
CREATE TABLE "accounts" (
  "id" text primary key,
  "email" text not null unique,
  "name" text not null,
  "tier" text not null,
  "created_at" text not null,
  "external_id" text,
  "suspended_at" text
);
CREATE TABLE "blogs" (
  "id" text primary key,
  "account_id" text not null references "accounts" ("id"),
  "slug" text not null unique,
  "name" text not null,
  "description" text not null,
  "custom_domain" text unique,
  "pressed_with" text,
  "created_at" text not null,
  "updated_at" text not null,
  "theme_config" text default '{}' not null,
  "settings" text default '{}' not null,
  owner_html text not null default '{}',
  owner_html_version integer not null default 0,
  "taken_down_at" text,
  "taken_down_reason" text,
  "media_bytes" integer default 0 not null
);
CREATE TABLE "credentials" (
  "id" text primary key,
  "account_id" text not null references "accounts" ("id"),
  "blog_id" text references "blogs" ("id"),
  "name" text not null,
  "prefix" text not null,
  "hash" text not null unique,
  "scopes" text not null,
  "expires_at" text,
  "last_used_at" text,
  "revoked_at" text,
  "created_at" text not null
);
CREATE INDEX "credentials_prefix" on "credentials" ("prefix");
CREATE TABLE "posts" (
  "id" text primary key,
  "blog_id" text not null references "blogs" ("id"),
  "slug" text not null,
  "title" text not null,
  "tags" text not null,
  "status" text not null,
  "meta_description" text,
  "og_image" text,
  "published_at" text,
  "scheduled_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "translations" text default '{}' not null,
  "version" integer default 0 not null,
  "taken_down_at" text,
  "taken_down_reason" text,
  "taken_down_from" text,
  constraint "posts_slug" unique ("blog_id", "slug")
);
CREATE INDEX "posts_created" on "posts" ("blog_id", "created_at");
CREATE INDEX "posts_updated" on "posts" ("blog_id", "updated_at");
CREATE INDEX "posts_published" on "posts" ("blog_id", "published_at");
CREATE TABLE "placements" (
  "blog_id" text not null,
  "list" text not null,
  "run" integer,
  "post_id" text not null references "posts" ("id") on delete cascade,
  constraint "placements_key" primary key ("post_id", "list")
);
CREATE INDEX "placements_run" on "placements" ("blog_id", "list", "run", "post_id");
CREATE TABLE "redirects" (
  "blog_id" text not null,
  "slug" text not null,
  "post_id" text not null references "posts" ("id") on delete cascade,
  constraint "redirects_key" primary key ("blog_id", "slug")
);
CREATE INDEX "redirects_post" on "redirects" ("post_id");
CREATE TABLE "monthly_posts" (
  "account_id" text not null references "accounts" ("id"),
  "month" text not null,
  "posts" integer not null,
  constraint "monthly_posts_key" primary key ("account_id", "month")
);
CREATE TABLE "rebuilds" (
  "id" text primary key,
  "blog_id" text not null,
  "status" text not null,
  "attempts" integer not null,
  "due_at" text not null,
  "queued_at" text not null,
  "started_at" text,
  "live_at" text,
  "files_written" integer default 0 not null,
  "files_removed" integer default 0 not null,
  "steps" text default '{}' not null,
  "error" text,
  "invalidated" integer default 0 not null,
  "priority" integer default 1 not null,
  "weight" integer default 1 not null,
  "is_large" integer default 0 not null,
  "removes_since" text
);
CREATE INDEX "rebuilds_blog" on "rebuilds" ("blog_id", "status");
CREATE TABLE "changes" (
  "id" integer primary key autoincrement,
  "blog_id" text not null,
  "rebuild_id" text not null,
  "post_id" text,
  "before" text,
  "scope" text default 'post' not null
);
CREATE INDEX "changes_blog" on "changes" ("blog_id", "id");
CREATE TABLE "manifest" (
  "blog_id" text not null,
  "path" text not null,
  "page" text not null,
  "hash" text not null,
  constraint "manifest_key" primary key ("blog_id", "path")
);
CREATE INDEX "manifest_page" on "manifest" ("blog_id", "page");
CREATE INDEX manifest_uncertain on manifest (blog_id, page) where hash = '';
CREATE TABLE "pending_cards" (
  "blog_id" text not null,
  "post_id" text not null,
  "attempts" integer not null,
  "due_at" text not null,
  constraint "pending_cards_key" primary key ("blog_id", "post_id")
);
CREATE TABLE "search_rows" (
  "id" integer primary key,
  "post_id" text not null unique references "posts" ("id") on delete cascade,
  "excerpt" text not null
);
CREATE VIRTUAL TABLE search_words using fts5 (
      title, description, headings, tags, keys,
      content = '', contentless_delete = 1, prefix = '1',
      tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '+#'"
    );
CREATE TRIGGER search_rows_delete after delete on search_rows begin
      delete from search_words where rowid = old.id;
    end;
CREATE TABLE "images" (
  "id" text primary key,
  "blog_id" text not null references "blogs" ("id"),
  "path" text not null,
  "bytes" integer not null,
  "width" integer not null,
  "height" integer not null,
  "created_at" text not null,
  "variants_due_at" text,
  "variant_attempts" integer default 0 not null,
  "filename" text
);
CREATE INDEX "images_blog" on "images" ("blog_id", "created_at");
CREATE TABLE "stray_media" ("path" text primary key, "due_at" text not null);
CREATE INDEX "stray_media_due" on "stray_media" ("due_at");
CREATE UNIQUE INDEX "accounts_external" on "accounts" ("external_id");
CREATE INDEX "credentials_account" on "credentials" ("account_id", "created_at");
CREATE TABLE "domains" (
  "blog_id" text primary key references "blogs" ("id") on delete cascade,
  "status" text not null,
  "registered_at" text not null,
  "missed_since" text,
  "due_at" text not null
);
CREATE INDEX "domains_due" on "domains" ("due_at");
CREATE TABLE "packs" (
  "id" text primary key,
  "account_id" text not null references "accounts" ("id") on delete cascade,
  "balance" integer not null,
  "purchased_at" text not null
);
CREATE INDEX "packs_account" on "packs" ("account_id", "purchased_at");
CREATE TABLE "views" (
  "blog_id" text not null references "blogs" ("id") on delete cascade,
  "post_id" text not null,
  "day" text not null,
  "views" integer not null,
  "visitors" integer not null,
  constraint "views_key" primary key ("blog_id", "post_id", "day")
);
CREATE INDEX "views_day" on "views" ("blog_id", "day");
CREATE TABLE "removals" ("blog_id" text primary key, "slug" text not null unique);
CREATE TABLE "revisions" (
  "id" text primary key,
  "post_id" text not null references "posts" ("id") on delete cascade,
  "title" text not null,
  "tags" text not null,
  "meta_description" text,
  "og_image" text,
  "source" text not null,
  "written_at" text not null,
  "translations" text default '{}' not null
);
CREATE INDEX "revisions_post" on "revisions" ("post_id", "id");
CREATE TABLE "previews" (
  "hash" text primary key,
  "post_id" text not null references "posts" ("id") on delete cascade,
  "expires_at" text not null
);
CREATE INDEX "previews_post" on "previews" ("post_id");
CREATE TABLE "search_bases" (
  "blog_id" text primary key references "blogs" ("id") on delete cascade,
  "made_by" text,
  "due_at" text,
  "rest_until" text default '' not null,
  "attempts" integer default 0 not null
);
CREATE INDEX "search_bases_due" on "search_bases" ("due_at");
CREATE TABLE "search_changes" (
  "id" integer primary key autoincrement,
  "blog_id" text not null references "blogs" ("id") on delete cascade,
  "post_id" text not null unique,
  "published" integer not null
);
CREATE INDEX "search_changes_blog" on "search_changes" ("blog_id", "published", "id");
CREATE INDEX "images_variants_due" on "images" ("variants_due_at");
CREATE TABLE "image_variants" (
  "image_id" text not null references "images" ("id") on delete cascade,
  "format" text not null,
  "width" integer not null,
  "path" text not null,
  constraint "image_variants_key" primary key ("image_id", "format", "width")
);
CREATE TABLE "awaited_images" (
  "image_id" text not null references "images" ("id") on delete cascade,
  "post_id" text not null references "posts" ("id") on delete cascade,
  constraint "awaited_images_key" primary key ("image_id", "post_id")
);
CREATE INDEX "awaited_images_post" on "awaited_images" ("post_id");
CREATE TABLE "known_hosts" (
  "hostname" text primary key,
  "blog_id" text not null references "blogs" ("id") on delete cascade
);
CREATE INDEX "known_hosts_blog" on "known_hosts" ("blog_id");
CREATE TABLE "post_contents" (
  "post_id" text primary key references "posts" ("id") on delete cascade,
  "renderer" integer not null,
  "edition" text not null,
  "lang" text,
  "word_count" integer not null,
  "description" text not null,
  "headings" text not null,
  "html" text not null,
  "source" text not null,
  "text" text not null
);
CREATE INDEX "post_contents_renderer" on "post_contents" ("renderer", "post_id");
CREATE INDEX "blogs_account" on "blogs" ("account_id", "created_at", "id");
CREATE TABLE "installation" ("id" text primary key, "edge" text);
CREATE TABLE "leases" (
  "work" text primary key,
  "blog_id" text not null,
  "holder" text not null,
  "until" integer not null
);
CREATE TABLE "lost_leases" (
  "id" integer primary key,
  "holder" text not null,
  "work" text not null,
  "blog_id" text not null,
  "entries" text not null,
  "ended" integer default 0 not null
);
CREATE TRIGGER post_written after update on posts when new.version = old.version
    begin
      update posts set version = version + 1 where id = new.id;
    end;
CREATE TRIGGER post_rendered after update of edition on post_contents
    begin
      update posts set version = version + 1 where id = new.post_id;
    end;
CREATE TABLE "doubts" (
  "blog_id" text not null,
  "path" text not null,
  "page" text not null,
  constraint "doubts_key" primary key ("blog_id", "path")
);
CREATE INDEX "images_path" on "images" ("path");
CREATE INDEX "image_variants_path" on "image_variants" ("path");
CREATE INDEX manifest_hosts on manifest (path) where substr(path, 1, 1) = '/';
CREATE INDEX blogs_owner_html_version on blogs (owner_html_version, id);
CREATE TABLE "suspects" ("blog_id" text primary key, "deaths" integer not null, "died_at" text not null);
CREATE INDEX "rebuilds_due" on "rebuilds" ("status", "is_large", "priority", "due_at", "id");
CREATE TABLE "idempotency_records" (
  "account_id" text not null,
  "credential" text not null,
  "key" text not null,
  "part" integer not null,
  "fingerprint" text not null,
  "result" text not null,
  "recorded_at" text not null,
  constraint "idempotency_records_key" primary key ("account_id", "credential", "key", "part")
);
CREATE INDEX "idempotency_records_at" on "idempotency_records" ("recorded_at");
CREATE INDEX blogs_taken_down on blogs (id) where taken_down_at is not null;
CREATE INDEX accounts_suspended on accounts (id) where suspended_at is not null;
CREATE INDEX posts_scheduled on posts (scheduled_at, blog_id) where status = 'scheduled';
CREATE TABLE "audit_log" (
  "id" text primary key,
  "at" text not null,
  "actor" text not null,
  "actor_id" text,
  "action" text not null,
  "account_id" text,
  "blog_id" text,
  "subject_id" text,
  "subject" text
);
CREATE INDEX "audit_log_at" on "audit_log" ("at");
CREATE TABLE "resting_slugs" (
  "slug" text primary key,
  "account_id" text references "accounts" ("id") on delete set null,
  "until" text not null
);
CREATE INDEX "resting_slugs_account" on "resting_slugs" ("account_id");
CREATE INDEX "resting_slugs_until" on "resting_slugs" ("until");
CREATE TABLE "post_images" (
  "image_id" text not null references "images" ("id") on delete cascade,
  "post_id" text not null references "posts" ("id") on delete cascade,
  constraint "post_images_key" primary key ("image_id", "post_id")
);
CREATE INDEX "post_images_post" on "post_images" ("post_id");
CREATE INDEX "pending_cards_turn" on "pending_cards" ("blog_id", "due_at" desc);

insert into kysely_migration (name, timestamp) values
  ('0001-initial', '2026-01-01T00:00:00.000Z'),
  ('0002-search', '2026-01-01T00:00:00.000Z'),
  ('0003-images', '2026-01-01T00:00:00.000Z'),
  ('0004-accounts', '2026-01-01T00:00:00.000Z'),
  ('0005-blogs', '2026-01-01T00:00:00.000Z'),
  ('0006-removals', '2026-01-01T00:00:00.000Z'),
  ('0007-revisions', '2026-01-01T00:00:00.000Z'),
  ('0008-answers', '2026-01-01T00:00:00.000Z'),
  ('0009-renderings', '2026-01-01T00:00:00.000Z'),
  ('0010-months', '2026-01-01T00:00:00.000Z'),
  ('0011-settings', '2026-01-01T00:00:00.000Z'),
  ('0012-search-bases', '2026-01-01T00:00:00.000Z'),
  ('0013-image-variants', '2026-01-01T00:00:00.000Z'),
  ('0014-translations', '2026-01-01T00:00:00.000Z'),
  ('0015-hosts', '2026-01-01T00:00:00.000Z'),
  ('0016-slim-contents', '2026-01-01T00:00:00.000Z'),
  ('0017-first-blog', '2026-01-01T00:00:00.000Z'),
  ('0018-invalidated', '2026-01-01T00:00:00.000Z'),
  ('0019-installation', '2026-01-01T00:00:00.000Z'),
  ('0020-leases', '2026-01-01T00:00:00.000Z'),
  ('0021-post-versions', '2026-01-01T00:00:00.000Z'),
  ('0022-published-edge', '2026-01-01T00:00:00.000Z'),
  ('0023-doubts', '2026-01-01T00:00:00.000Z'),
  ('0024-media-paths', '2026-01-01T00:00:00.000Z'),
  ('0025-manifest-hosts', '2026-01-01T00:00:00.000Z'),
  ('0026-owner-html', '2026-01-01T00:00:00.000Z'),
  ('0027-suspects', '2026-01-01T00:00:00.000Z'),
  ('0028-idempotency', '2026-01-01T00:00:00.000Z'),
  ('0029-take-downs', '2026-01-01T00:00:00.000Z'),
  ('0030-audit-log', '2026-01-01T00:00:00.000Z'),
  ('0031-resting-slugs', '2026-01-01T00:00:00.000Z'),
  ('0032-media-library', '2026-01-01T00:00:00.000Z'),
  ('0033-card-turns', '2026-01-01T00:00:00.000Z');
insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0);
insert into installation (id) values ('3f1f5c0e-4c57-4a0b-8a39-0d6c3c1d7c11');

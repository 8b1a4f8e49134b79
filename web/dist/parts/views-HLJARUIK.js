/*! AiSHA, Apache-2.0; with lit, marked, DOMPurify, eventsource-parser: NOTICES.txt */
import{a as t,b as e,c as a,d as i,e as s,f as o,g as r,j as l,k as n,l as h,o as d,r as c,s as p,v as u}from"./chunk-WVHLYAZO.js";import{a as m}from"./chunk-DHP5BHIK.js";var y=class extends i{constructor(){super(...arguments),this.current=null,this.items=null,this.cursor=null,this.failure="",this.search="",this.renaming=null,this.deleting=null,this.cancel=()=>{this.renaming=this.deleting=null,this.box.focus()},this.escape=t=>{"Escape"===t.key&&(t.stopPropagation(),this.cancel())}}firstUpdated(){this.box.focus(),this.load()}render(){let{words:t}=this;return e`<label class="search">
${h("search")}
<input
type="search"
maxlength="200"
aria-label=${t.say("search_conversations")}
placeholder=${t.say("search_conversations")}
@input=${this.typed}
/>
</label>
${this.failure?e`<aisha-notice .words=${t} .text=${this.failure} retryable @retry=${()=>this.load()}></aisha-notice>`:a}
${this.list()}
${this.cursor?e`<button class="button more" @click=${()=>this.load(this.cursor)}>${t.say("more")}</button>`:a}`}list(){return null===this.items?a:this.items.length?e`<ul aria-label=${this.words.say("history")}>
${this.items.map(t=>e`<li class=${t.id===this.current?"current":""}>${this.row(t)}</li>`)}
</ul>`:e`<p class="empty" role="status">
${this.words.say(this.search?"no_matches":"no_conversations")}
</p>`}row(t){let{words:i}=this,s=t.title||i.say("untitled");return this.renaming===t.id?e`<form @submit=${e=>this.rename(e,t)} @keydown=${this.escape}>
<input
name="title"
required
maxlength=${120}
.value=${t.title}
aria-label=${i.say("rename_label")}
dir="auto"
/>
<button class="button primary">${i.say("save")}</button>
<button class="button" type="button" @click=${this.cancel}>${i.say("cancel")}</button>
</form>`:this.deleting===t.id?e`<div
class="question"
role="alertdialog"
aria-label=${i.say("delete_question")}
@keydown=${this.escape}
>
<span>${i.say("delete_question")}</span>
<button class="button" @click=${this.cancel}>${i.say("cancel")}</button>
<button class="button danger" @click=${()=>this.discard(t)}>${i.say("delete")}</button>
</div>`:e`<button
class="open"
aria-current=${t.id===this.current?"true":a}
@click=${()=>this.tell("open",t.id)}
>
<span class="title" dir="auto">${s}</span>
<span class="when">${i.moment(new Date(t.updatedAt))}</span>
</button>
${this.tool("rename","edit",s,()=>this.ask("renaming",t.id))}
${this.tool("export","download",s,()=>this.export(t))}
${this.tool("delete","trash",s,()=>this.ask("deleting",t.id))}`}tool(t,a,i,s){let o=this.words.say(t);return e`<button class="icon-button small" aria-label="${o}: ${i}" title=${o} @click=${s}>
${h(a,15)}
</button>`}async ask(t,e){this.renaming=this.deleting=null,this[t]=e,await this.updateComplete,this.renderRoot.querySelector("form input, .question button")?.focus()}typed(){clearTimeout(this.timer),this.timer=setTimeout(()=>{this.search=this.box.value.trim(),this.load()},250)}async load(t=null){let{search:e}=this,a={limit:20,...e?{search:e}:{},...t?{cursor:t}:{}};await this.attempt(async()=>{let i=await l(this.api.rest.GET("/api/ai/conversations",{params:{query:a}}));e===this.search&&(this.items=t?[...this.items??[],...i.items]:i.items,this.cursor=i.nextCursor??null)})}async rename(t,e){t.preventDefault();let a=String(new FormData(t.target).get("title")).trim();a&&await this.attempt(async()=>{let t={path:{id:e.id}},i=await l(this.api.rest.PATCH("/api/ai/conversations/{id}",{params:t,body:{title:a}}));this.items=this.items.map(t=>t.id===e.id?i:t),this.cancel()})}async discard(t){await this.attempt(async()=>{await this.api.rest.DELETE("/api/ai/conversations/{id}",{params:{path:{id:t.id}}}),this.items=this.items.filter(e=>e.id!==t.id),this.cancel(),this.tell("removed",t.id)})}async export(t){await this.attempt(async()=>{let e=`/api/ai/conversations/${encodeURIComponent(t.id)}/export?format=markdown`,a=await this.api.fetch(e,{headers:{accept:"text/markdown"}}),i=document.createElement("a");i.href=URL.createObjectURL(await a.blob()),i.download=`${(t.title||this.words.say("untitled")).replace(/[^\p{L}\p{N} _-]+/gu,"").slice(0,80)}.md`,i.click(),setTimeout(()=>URL.revokeObjectURL(i.href),1e4)})}async attempt(t){this.failure="";try{await t()}catch(t){this.failure=p(c(t),this.words)}}tell(t,e){this.dispatchEvent(new CustomEvent(t,{detail:e}))}};y.styles=[d,t`:host{display:block;overflow-y:auto;padding:var(--aisha-4);scrollbar-width:thin}.search{position:relative;display:block}.search svg{position:absolute;inset-block-start:9px;inset-inline-start:10px;color:var(--aisha-muted)}input{inline-size:100%}.search input{padding-inline-start:36px}ul{margin:var(--aisha-3) 0;padding:0;list-style:none}li{display:flex;align-items:center;border-radius:var(--aisha-radius-s)}li:hover,li.current{background:var(--aisha-hover)}.open{flex:1;min-inline-size:0;padding:var(--aisha-2) var(--aisha-3);text-align:start}.title{display:block;font-size:var(--aisha-text-m);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.when,.empty{font-size:var(--aisha-text-xs);color:var(--aisha-muted)}.empty{margin-block:var(--aisha-6);text-align:center;font-size:var(--aisha-text-s)}form,.question{flex:1;display:flex;flex-wrap:wrap;align-items:center;gap:var(--aisha-2);padding:var(--aisha-2) var(--aisha-3);font-size:var(--aisha-text-s)}form input{flex:1 1 100%}.more{display:block;margin-inline:auto}`],m([s({attribute:!1})],y.prototype,"api",2),m([s({attribute:!1})],y.prototype,"words",2),m([s()],y.prototype,"current",2),m([o()],y.prototype,"items",2),m([o()],y.prototype,"cursor",2),m([o()],y.prototype,"failure",2),m([o()],y.prototype,"search",2),m([o()],y.prototype,"renaming",2),m([o()],y.prototype,"deleting",2),m([r(".search input")],y.prototype,"box",2),y=m([n("aisha-history")],y);var $=["midnight","light","system"],v=class extends i{constructor(){super(...arguments),this.mode=null,this.models=null,this.failure="",this.load=async()=>{await this.attempt(async()=>{let[t,e]=await Promise.all([l(this.api.rest.GET("/api/ai/mode")),l(this.api.rest.GET("/api/ai/models"))]);this.mode=t.mode,this.models=e})}}firstUpdated(){this.load()}render(){let{words:t,preferences:i}=this;return e`
${this.failure?e`<aisha-notice .words=${t} .text=${this.failure} retryable @retry=${this.load}></aisha-notice>`:a}
<fieldset>
<legend>${t.say("theme")}</legend>
<div class="options">
${$.map(e=>this.option("theme",e,t.say(`theme_${e}`),"",i.theme===e,()=>this.change({theme:e})))}
</div>
</fieldset>
${this.modes()} ${this.modelChoice()} ${this.voice()}
`}modes(){if(!this.mode||!this.models)return a;let{words:t}=this;return e`<fieldset>
<legend>${t.say("mode")}</legend>
<div class="options">
${Object.entries(this.models.modes).map(([e,a])=>this.option("mode",e,t.named("mode_",e,e),t.named("mode_about_",e,a),this.mode===e,()=>this.setMode(e)))}
</div>
</fieldset>`}option(t,i,s,o,r,l){return e`<label class="option">
<input type="radio" name=${t} value=${i} .checked=${r} @change=${l} />
<span>${s}${o?e`<small>${o}</small>`:a}</span>
</label>`}modelChoice(){if(!this.models)return a;let{words:t,preferences:i}=this;return e`<label class="field">
<span>${t.say("model")}</span>
<select @change=${t=>this.change({model:t.target.value})}>
<option value="">${t.say("model_default")}</option>
${this.models.providers.map(t=>e`<optgroup label=${t.name}>
${t.models.map(t=>{let a=`${t.provider}/${t.model}`;return e`<option value=${a} ?selected=${a===i.model}>${t.model}</option>`})}
</optgroup>`)}
</select>
</label>`}voice(){let{words:t,preferences:i}=this,s=u(t.locale);return e`<div class="field">
<span id="voice">${t.say("voice")}</span>
<label class="check">
<input
type="checkbox"
.checked=${i.isReadAloud}
@change=${t=>this.change({isReadAloud:t.target.checked})}
/>
${t.say("read_answers")}
</label>
${s.length?e`<select
aria-labelledby="voice"
@change=${t=>this.change({voice:t.target.value})}
>
<option value="">${t.say("voice_default")}</option>
${s.map(t=>e`<option value=${t.voiceURI} ?selected=${t.voiceURI===i.voice}>
${t.name}
</option>`)}
</select>`:a}
</div>`}async setMode(t){let e=this.mode;this.mode=t,await this.attempt(async()=>{await this.api.rest.POST("/api/ai/mode/{mode}",{params:{path:{mode:t}}})}),this.failure&&(this.mode=e)}async attempt(t){this.failure="";try{await t()}catch(t){this.failure=p(c(t),this.words)}}change(t){this.dispatchEvent(new CustomEvent("change",{detail:{...this.preferences,...t}}))}};v.styles=[d,t`:host{display:block;overflow-y:auto;padding:var(--aisha-4);font-size:var(--aisha-text-s);scrollbar-width:thin}fieldset,.field{display:block;margin:0 0 var(--aisha-5);padding:0;border:0}legend,.field>span{display:block;margin-block-end:var(--aisha-2);padding:0;font-weight:600}.options{display:grid;gap:var(--aisha-1)}.option,.check{display:flex;align-items:flex-start;gap:var(--aisha-2);padding:var(--aisha-2);border-radius:var(--aisha-radius-s);cursor:pointer;line-height:1.4}.option:hover,.check:hover{background:var(--aisha-hover)}.option small{display:block;font-size:var(--aisha-text-xs);color:var(--aisha-muted)}input[type=radio],input[type=checkbox]{min-block-size:0;inline-size:16px;block-size:16px;margin:1px 0 0;flex:none;accent-color:var(--aisha-accent-fill)}select{inline-size:100%}`],m([s({attribute:!1})],v.prototype,"api",2),m([s({attribute:!1})],v.prototype,"words",2),m([s({attribute:!1})],v.prototype,"preferences",2),m([o()],v.prototype,"mode",2),m([o()],v.prototype,"models",2),m([o()],v.prototype,"failure",2),v=m([n("aisha-settings")],v);